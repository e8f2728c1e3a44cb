# resnet-50.py with DRLoc on its last map, 7x7, as the paper has it; nothing
# else differs.
#
# Train: python tools/train.py configs/scratch_100e/resnet-50_drloc.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/scratch_100e/resnet-50_drloc.py 8 \
#            --dataset cifar10
# Published: Table 4 of the paper, by data set: README.md.
# Note: no lambda is published for ResNet-50; 0.1 is our choice, and 0.5, the
#     program's default, is in configs/official.
# Measured: not measured.
_base_ = './resnet-50.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layer4',
        in_channels=2048,
        init_cfg=None,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
