# t2t-vit-14.py with DRLoc on the normalised 14x14 grid, pooled to 7x7.
# Train: python tools/train.py configs/finetune_100e/t2t-vit-14_drloc.py \
#      --weights 81.5_T2T_ViT_14.pth.tar
# Published: 98.52 top-1 on CIFAR-10, 87.65 top-1 on CIFAR-100
_base_ = './t2t-vit-14.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='norm',
        in_channels=384,
        pool='avg2x2',
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
