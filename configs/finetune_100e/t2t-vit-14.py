# T2T-ViT-14 from ImageNet-1K weights in 100 epochs, without DRLoc.
#
# Needs: https://github.com/yitu-opensource/T2T-ViT/releases/download/main/
#            81.5_T2T_ViT_14.pth.tar
# Train: python tools/train.py configs/finetune_100e/t2t-vit-14.py \
#            --dataset cifar10 \
#            --weights 81.5_T2T_ViT_14.pth.tar
# 8 GPUs: bash tools/dist_train.sh configs/finetune_100e/t2t-vit-14.py 8 \
#            --dataset cifar10 \
#            --weights 81.5_T2T_ViT_14.pth.tar
# Published: Table 5 of the paper, by data set: README.md.
# Note: section 5 of the paper takes the networks' settings from their authors,
#     who drop paths at a rate of 0.1 (main.py of T2T-ViT, cvt-13-224x224.yaml
#     of CvT), and so do we; the official code as it runs does not, and nor do
#     its variants in configs/official.
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-14.py',
    '../_base_/protocols/finetune_100e.py',
]

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.')),
    head=dict(num_classes=_base_.num_classes),
)
