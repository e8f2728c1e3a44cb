# Cascade Mask R-CNN from a Swin-T trained on ImageNet-1K with DRLoc;
# the paper's recipe.
#
# Needs: python tools/train.py \
#            configs/scratch_300e/swin-tiny_drloc_300e_imagenet-1k.py
#        python tools/transfer.py \
#            work_dirs/swin-tiny_drloc_300e_imagenet-1k/epoch_300.pth \
#            work_dirs/swin-tiny_drloc_300e_imagenet-1k/backbone.pth
# Train: bash tools/dist_train.sh \
#     configs/coco/cascade-mask-rcnn_swin-tiny_drloc-in1k_1x-paper_coco.py 8
# Published: box AP 48.2, box AP50 67.4, box AP75 52.1,
#     mask AP 41.7, mask AP50 64.7, mask AP75 44.8 (supplement, Table 10).
# Measured: not measured.
_base_ = '../_base_/dense/cascade-mask-rcnn_swin-tiny_paper.py'

checkpoint_file = 'work_dirs/swin-tiny_drloc_300e_imagenet-1k/backbone.pth'
model = dict(backbone=dict(init_cfg=dict(checkpoint=checkpoint_file)))
custom_hooks = [
    dict(
        type='mmdrloc.TransferCheckHook',
        expected_missing=['norm0.', 'norm1.', 'norm2.'],
        made_by='python tools/transfer.py '
        'work_dirs/swin-tiny_drloc_300e_imagenet-1k/epoch_300.pth '
        + checkpoint_file,
    )
]
