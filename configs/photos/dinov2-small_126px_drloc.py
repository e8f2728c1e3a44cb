# dinov2-small_126px.py with DRLoc on the cells of its last layers.
_base_ = './dinov2-small_126px.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.11',
        in_channels=384,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.1),
    ),
)
