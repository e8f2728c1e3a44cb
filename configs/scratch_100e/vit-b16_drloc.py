# vit-b16.py with DRLoc on the 14x14 grid before the last norm, pooled to 7x7,
# as the paper has it; nothing else differs.
#
# Train: python tools/train.py configs/scratch_100e/vit-b16_drloc.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/scratch_100e/vit-b16_drloc.py 8 \
#            --dataset cifar10
# Published: Table 9 of the supplement, by data set: README.md.
# Note: 86.4 M parameters are stated for ViT-B/16; the released class has 85.78
#     M with 10 classes, 85.85 M with 100.
# Measured: not measured.
_base_ = './vit-b16.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.11',
        in_channels=768,
        pool='avg2x2',
        init_cfg=None,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.01),
    ),
)
