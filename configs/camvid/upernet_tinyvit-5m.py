# UperNet with TinyViT-5M on photos of streets, from published weights.
# Train: mmdrloc train camvid/upernet_tinyvit-5m \
#      --weights tiny_vit_5m_224.dist_in22k.safetensors
# Measured: 41.16 ± 0.25 mIoU (seeds 0-2, --amp).
_base_ = [
    '../_base_/models/upernet_mini.py',
    '../_base_/datasets/camvid_bs4_176.py',
    '../_base_/schedules/upernet_mini_adamw_500it.py',
    '../_base_/mmseg_runtime.py',
]

# Maps of strides 4 to 32. Batch norm keeps its statistics, as batches are
# small; what sees the finest maps is not trained.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.TIMMBackbone',
        model_name='tiny_vit_5m_224',
        features_only=True,
        out_indices=(0, 1, 2, 3),
        norm_eval=True,
        frozen=('patch_embed', 'stages.0'),
        init_cfg=dict(type='Pretrained'),
    ),
    decode_head=dict(in_channels=[64, 128, 160, 320]),
    auxiliary_head=dict(in_channels=160),
)

# Of 0.1, 0.3 and 1 the best on held-out photos, with the loss and without.
optim_wrapper = dict(
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.3)))
)
