# UperNet from a Swin-T trained on ImageNet-1K with DRLoc;
# mmseg's own recipe.
#
# Needs: python tools/train.py \
#            configs/scratch_300e/swin-tiny_drloc_300e_imagenet-1k.py
#        python tools/transfer.py \
#            work_dirs/swin-tiny_drloc_300e_imagenet-1k/epoch_300.pth \
#            work_dirs/swin-tiny_drloc_300e_imagenet-1k/backbone.pth
# Train: bash tools/dist_train.sh \
#     configs/ade20k/upernet_swin-tiny_drloc-in1k_160k-stock_ade20k.py 8
# Variant of:
#     upernet_swin-tiny_drloc-in1k_160k-paper_ade20k.py
# Measured: not measured.
_base_ = '../_base_/dense/upernet_swin-tiny_stock.py'

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
