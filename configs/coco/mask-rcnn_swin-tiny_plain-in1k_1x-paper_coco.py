# Mask R-CNN from a Swin-T trained on ImageNet-1K without DRLoc;
# the paper's recipe.
#
# Needs: python tools/train.py \
#            configs/scratch_300e/swin-tiny_300e_imagenet-1k.py
#        python tools/transfer.py \
#            work_dirs/swin-tiny_300e_imagenet-1k/epoch_300.pth \
#            work_dirs/swin-tiny_300e_imagenet-1k/backbone.pth
# Train: bash tools/dist_train.sh \
#     configs/coco/mask-rcnn_swin-tiny_plain-in1k_1x-paper_coco.py 8
# Published: box AP 43.4, box AP50 66.2, box AP75 47.4,
#     mask AP 39.6, mask AP50 63.0, mask AP75 42.6 (supplement, Table 10).
# Measured: not measured.
_base_ = '../_base_/dense/mask-rcnn_swin-tiny_paper.py'

pretrained = 'work_dirs/swin-tiny_300e_imagenet-1k/backbone.pth'
model = dict(backbone=dict(init_cfg=dict(checkpoint=pretrained)))
custom_hooks = [
    dict(
        type='mmdrloc.TransferCheckHook',
        expected_missing=['norm0.', 'norm1.', 'norm2.'],
        made_by='python tools/transfer.py '
        'work_dirs/swin-tiny_300e_imagenet-1k/epoch_300.pth ' + pretrained,
    )
]
