# swin-tiny.py with DRLoc on the 7x7 grid before the last norm.
# Train: python tools/train.py configs/scratch_300e/swin-tiny_drloc.py \
#      --dataset imagenet-100
# Published: 90.32 top-1 on ImageNet-100, 81.33 top-1 on ImageNet-1K
_base_ = './swin-tiny.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.3',
        in_channels=768,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5),
    ),
)
