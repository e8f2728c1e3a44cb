# UperNet with DeiT-Tiny, a plain transformer, from --weights.
# Weights of 112 px, as IDMM's, want model.backbone.img_size=112.
# Train: mmdrloc train ade20k/upernet_deit-tiny_160k \
#      --weights work_dirs/idmm_deit-tiny_sin-10k
_base_ = [
    'mmseg::_base_/models/upernet_mae.py',
    '../_base_/datasets/ade20k.py',
    '../_base_/schedules/ade20k_adamw_160k.py',
    'mmseg::_base_/default_runtime.py',
]

# As in ViTDet: layers of the four maps see the whole image, others windows.
model = dict(
    data_preprocessor=dict(size=(512, 512)),
    backbone=dict(
        _delete_=True,
        type='mmdrloc.DenseViT',
        arch='deit-tiny',
        img_size=224,
        patch_size=16,
        out_indices=(2, 5, 8, 11),
        window_size=14,
        drop_path_rate=0.1,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=dict(type='mmseg.Feature2Pyramid', embed_dim=192),
    decode_head=dict(in_channels=[192, 192, 192, 192], num_classes=150),
    auxiliary_head=dict(in_channels=192, num_classes=150),
)

# Learning rate and weight decay of mmseg's MAE, ViT-B, and rates that fall by
# 0.65 from layer to layer towards the image.
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
