# Mask R-CNN from a Swin-T trained on ImageNet-1K with DRLoc;
# the paper's recipe.
#
# Needs: python tools/train.py \
#            configs/scratch_300e/swin-tiny_drloc_300e_imagenet-1k.py
#        python tools/transfer.py \
#            work_dirs/swin-tiny_drloc_300e_imagenet-1k/epoch_300.pth \
#            work_dirs/swin-tiny_drloc_300e_imagenet-1k/backbone.pth
# Train: bash tools/dist_train.sh \
#     configs/coco/mask-rcnn_swin-tiny_drloc-in1k_1x-paper_coco.py 8
# Published: box AP 43.8, box AP50 66.5, box AP75 48.0,
#     mask AP 39.7, mask AP50 63.1, mask AP75 42.5 (supplement, Table 10).
# Measured: not measured.
_base_ = '../_base_/dense/mask-rcnn_swin-tiny_paper.py'

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
