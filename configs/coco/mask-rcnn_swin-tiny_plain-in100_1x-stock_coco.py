# Mask R-CNN from a Swin-T trained on ImageNet-100 without DRLoc;
# mmdet's own recipe.
#
# Needs: python tools/train.py \
#            configs/scratch_300e/swin-tiny_300e_imagenet-100.py
#        python tools/transfer.py \
#            work_dirs/swin-tiny_300e_imagenet-100/epoch_300.pth \
#            work_dirs/swin-tiny_300e_imagenet-100/backbone.pth
# Train: bash tools/dist_train.sh \
#     configs/coco/mask-rcnn_swin-tiny_plain-in100_1x-stock_coco.py 8
# Variant of:
#     mask-rcnn_swin-tiny_plain-in100_1x-paper_coco.py
# Measured: not measured.
_base_ = '../_base_/dense/mask-rcnn_swin-tiny_stock.py'

pretrained = 'work_dirs/swin-tiny_300e_imagenet-100/backbone.pth'
model = dict(backbone=dict(init_cfg=dict(checkpoint=pretrained)))
custom_hooks = [
    dict(
        type='mmdrloc.TransferCheckHook',
        expected_missing=['norm0.', 'norm1.', 'norm2.'],
        made_by='python tools/transfer.py '
        'work_dirs/swin-tiny_300e_imagenet-100/epoch_300.pth ' + pretrained,
    )
]
