# cvt-mini_32px.py with DRLoc on the 4x4 cells of its last stage.
# Train: mmdrloc train photos/cvt-mini_32px_drloc
# Measured: 71.72 ± 1.28 % top-1 after 6 epochs with loss_weight=0.5, seeds
#     0 to 2; on cifar10-5k with loss_weight=1, 25 epochs, 55.26 ± 0.75 %.
_base_ = './cvt-mini_32px.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.1',
        in_channels=128,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.1),
    ),
)
