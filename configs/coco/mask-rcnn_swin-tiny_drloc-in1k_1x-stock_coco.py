# Mask R-CNN from a Swin-T trained on ImageNet-1K with DRLoc;
# mmdet's own recipe.
#
# Needs: python tools/train.py \
#            configs/scratch_300e/swin-tiny_drloc_300e_imagenet-1k.py
#        python tools/transfer.py \
#            work_dirs/swin-tiny_drloc_300e_imagenet-1k/epoch_300.pth \
#            work_dirs/swin-tiny_drloc_300e_imagenet-1k/backbone.pth
# Train: bash tools/dist_train.sh \
#     configs/coco/mask-rcnn_swin-tiny_drloc-in1k_1x-stock_coco.py 8
# Variant of:
#     mask-rcnn_swin-tiny_drloc-in1k_1x-paper_coco.py
# Measured: not measured.
_base_ = '../_base_/dense/mask-rcnn_swin-tiny_stock.py'

pretrained = 'work_dirs/swin-tiny_drloc_300e_imagenet-1k/backbone.pth'
model = dict(backbone=dict(init_cfg=dict(checkpoint=pretrained)))
custom_hooks = [
    dict(
        type='mmdrloc.TransferCheckHook',
        expected_missing=['norm0.', 'norm1.', 'norm2.'],
        made_by='python tools/transfer.py '
        'work_dirs/swin-tiny_drloc_300e_imagenet-1k/epoch_300.pth '
        + pretrained,
    )
]
