# resnet-mini.py with signed offsets on the 4x4 cells of its last stage.
# Train: mmdrloc train evidence/resnet-mini_drloc-signed
_base_ = './resnet-mini.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layer4',
        in_channels=128,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
