# Swin-T from ImageNet-1K weights in 100 epochs, without DRLoc.
#
# Needs: https://github.com/SwinTransformer/storage/releases/download/v1.0.0/
#            swin_tiny_patch4_window7_224.pth
# Train: python tools/train.py configs/finetune_100e/swin-tiny.py \
#            --dataset cifar10 \
#            --weights swin_tiny_patch4_window7_224.pth
# 8 GPUs: bash tools/dist_train.sh configs/finetune_100e/swin-tiny.py 8 \
#            --dataset cifar10 \
#            --weights swin_tiny_patch4_window7_224.pth
# Published: Table 5 of the paper, by data set: README.md.
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/protocols/finetune_100e.py',
]

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.')),
    head=dict(num_classes=_base_.num_classes),
)
