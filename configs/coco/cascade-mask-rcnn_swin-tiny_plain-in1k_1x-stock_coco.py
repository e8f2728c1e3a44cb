# Cascade Mask R-CNN from a Swin-T trained on ImageNet-1K without DRLoc;
# mmdet's recipe for Mask R-CNN.
#
# Needs: python tools/train.py \
#            configs/scratch_300e/swin-tiny_300e_imagenet-1k.py
#        python tools/transfer.py \
#            work_dirs/swin-tiny_300e_imagenet-1k/epoch_300.pth \
#            work_dirs/swin-tiny_300e_imagenet-1k/backbone.pth
# Train: bash tools/dist_train.sh \
#     configs/coco/cascade-mask-rcnn_swin-tiny_plain-in1k_1x-stock_coco.py 8
# Variant of:
#     cascade-mask-rcnn_swin-tiny_plain-in1k_1x-paper_coco.py
# Measured: not measured.
_base_ = '../_base_/dense/cascade-mask-rcnn_swin-tiny_stock.py'

checkpoint_file = 'work_dirs/swin-tiny_300e_imagenet-1k/backbone.pth'
model = dict(backbone=dict(init_cfg=dict(checkpoint=checkpoint_file)))
custom_hooks = [
    dict(
        type='mmdrloc.TransferCheckHook',
        expected_missing=['norm0.', 'norm1.', 'norm2.'],
        made_by='python tools/transfer.py '
        'work_dirs/swin-tiny_300e_imagenet-1k/epoch_300.pth '
        + checkpoint_file,
    )
]
