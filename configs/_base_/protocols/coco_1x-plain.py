# coco_1x-stock.py for plain transformers: the weight decay of ViTDet-B, and
# learning rates that fall by 0.7 from layer to layer towards the image.
_base_ = './coco_1x-stock.py'

optim_wrapper = dict(
    constructor='mmdrloc.LayerDecayConstructor',
    paramwise_cfg=dict(
        _delete_=True,
        layer_decay_rate=0.7,
        norm_decay_mult=0.0,
        custom_keys=dict(
            cls_token=dict(decay_mult=0.0), pos_embed=dict(decay_mult=0.0)
        ),
    ),
    optimizer=dict(weight_decay=0.1),
)
