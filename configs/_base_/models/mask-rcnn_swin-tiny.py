# mmdet's Mask R-CNN with Swin-T: mmpretrain's own, so that weights come from
# classification by their names. It starts from those of --weights.
_base_ = 'mmdet::_base_/models/mask-rcnn_r50_fpn.py'
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmpretrain.SwinTransformer',
        arch='tiny',
        drop_path_rate=0.2,
        out_indices=(0, 1, 2, 3),
        # The same arithmetic as mmdet's Swin on maps of any size.
        pad_small_map=True,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=dict(in_channels=[96, 192, 384, 768]),
)
