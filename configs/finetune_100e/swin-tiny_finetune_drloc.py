# swin-tiny_finetune.py with DRLoc on the 7x7 grid before the last norm.
# Train: mmdrloc train finetune_100e/swin-tiny_finetune_drloc \
#      --weights swin_tiny_patch4_window7_224.pth
_base_ = './swin-tiny_finetune.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.3',
        in_channels=768,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5),
    ),
)
