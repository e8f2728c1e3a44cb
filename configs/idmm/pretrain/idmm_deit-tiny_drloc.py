# idmm_deit-tiny.py with DRLoc on its crops' 7x7 grid, lambda as of ViT-B/16.
# Train: mmdrloc train idmm/pretrain/idmm_deit-tiny_drloc
_base_ = './idmm_deit-tiny.py'
model = dict(
    type='mmdrloc.DRLocIDMM',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.11',
        in_channels=192,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.01),
    ),
)
