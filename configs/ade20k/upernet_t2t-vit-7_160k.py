# UperNet with T2T-ViT-7, a plain transformer, from --weights.
# Train: python tools/train.py configs/ade20k/upernet_t2t-vit-7_160k.py \
#      --weights work_dirs/idmm_t2t-vit-7_sin-10k
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
        type='mmdrloc.DenseT2TViT',
        img_size=224,
        embed_dims=256,
        num_layers=7,
        out_indices=(1, 3, 4, 6),
        window_size=14,
        drop_path_rate=0.1,
        layer_cfgs=dict(num_heads=4, feedforward_channels=2 * 256),
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=dict(type='mmseg.Feature2Pyramid', embed_dim=256),
    decode_head=dict(in_channels=[256, 256, 256, 256], num_classes=150),
    auxiliary_head=dict(in_channels=256, num_classes=150),
)
