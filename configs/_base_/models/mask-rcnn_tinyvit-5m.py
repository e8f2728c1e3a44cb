# Mask R-CNN of 64 channels with TinyViT-5M.
_base_ = './mask-rcnn_mini.py'

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
    neck=dict(in_channels=[64, 128, 160, 320]),
)
