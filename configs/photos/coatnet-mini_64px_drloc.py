# coatnet-mini_64px.py with DRLoc on the 4x4 grid of its first attention.
# Train: python tools/train.py configs/photos/coatnet-mini_64px_drloc.py
_base_ = './coatnet-mini_64px.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='timm_model.stages.2',
        in_channels=128,
        num_pairs=8,
        hidden_channels=256,
        # Distances without a sign gain nothing in minutes: when_it_helps.md.
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
