# UperNet with DeiT-Base, a plain transformer, from --weights.
# Train: python tools/train.py configs/ade20k/upernet_deit-base_160k.py \
#      --weights work_dirs/idmm_deit-base_flowers102
_base_ = [
    '../_base_/models/upernet_mae.py',
    '../_base_/datasets/ade20k.py',
    '../_base_/schedules/ade20k_adamw_160k_layer-decay.py',
    '../_base_/default_runtime_mmseg.py',
]

# As in ViTDet: layers of the four maps see the whole image, others windows.
model = dict(
    data_preprocessor=dict(size=(512, 512)),
    backbone=dict(
        _delete_=True,
        type='mmdrloc.DenseViT',
        arch='deit-base',
        img_size=224,
        patch_size=16,
        out_indices=(2, 5, 8, 11),
        window_size=14,
        drop_path_rate=0.1,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=dict(type='mmseg.Feature2Pyramid', embed_dim=768),
    decode_head=dict(in_channels=[768, 768, 768, 768], num_classes=150),
    auxiliary_head=dict(in_channels=768, num_classes=150),
)
