# T2T-ViT-14 from ImageNet-1K weights in 100 epochs, without DRLoc.
# Train: mmdrloc train finetune_100e/t2t-vit-14_finetune \
#      --weights 81.5_T2T_ViT_14.pth.tar
_base_ = [
    '../_base_/models/t2t-vit-14.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e_finetune.py',
    '../_base_/default_runtime.py',
]
model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.')),
    head=dict(num_classes=10),
)
