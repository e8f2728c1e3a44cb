# coco_adamw_1x.py for plain transformers: the weight decay of ViTDet-B, and
# learning rates that fall from 1e-4 by 0.7 from layer to layer towards the
# image. 12 epochs, 1,000 iterations of warm-up.
_base_ = './coco_adamw_1x.py'

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
    optimizer=dict(lr=1e-4, weight_decay=0.1),
)
