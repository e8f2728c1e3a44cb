# UperNet with ViT-B/16, a plain transformer, from --weights.
# Train: python tools/train.py configs/ade20k/upernet_vit-b16_160k.py \
#      --weights work_dirs/vit-b16_drloc_imagenet-100
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
        arch='base',
        img_size=224,
        patch_size=16,
        out_indices=(2, 5, 8, 11),
        window_size=14,
        drop_path_rate=0.1,
        qkv_bias=False,
        norm_cfg=dict(type='LN', eps=1e-5),
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=dict(type='mmseg.Feature2Pyramid', embed_dim=768),
    decode_head=dict(in_channels=[768, 768, 768, 768], num_classes=150),
    auxiliary_head=dict(in_channels=768, num_classes=150),
)
