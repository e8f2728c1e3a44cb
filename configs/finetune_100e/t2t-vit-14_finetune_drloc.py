# t2t-vit-14_finetune.py with DRLoc on the normalised 14x14 grid, made 7x7.
# Train: mmdrloc train finetune_100e/t2t-vit-14_finetune_drloc \
#      --weights 81.5_T2T_ViT_14.pth.tar
_base_ = './t2t-vit-14_finetune.py'
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
