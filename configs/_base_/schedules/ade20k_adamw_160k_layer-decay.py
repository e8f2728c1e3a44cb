# ade20k_adamw_160k.py for plain transformers: learning rate and weight decay
# of mmseg's MAE, ViT-B, 1e-4 and 0.05, and rates that fall by 0.65 from layer
# to layer towards the image. 1,500 iterations of warm-up.
_base_ = './ade20k_adamw_160k.py'

optim_wrapper = dict(
    constructor='mmdrloc.LayerDecayConstructor',
    paramwise_cfg=dict(
        _delete_=True,
        layer_decay_rate=0.65,
        flat_decay_mult=0.0,
        custom_keys=dict(
            cls_token=dict(decay_mult=0.0), pos_embed=dict(decay_mult=0.0)
        ),
    ),
    optimizer=dict(lr=1e-4, weight_decay=0.05),
)
