# idmm_vit-narrow_28px.py with DRLoc on its crops; nothing else differs.
#
# Data: python tools/dataset_converters/digits.py
# Train: python tools/train.py configs/idmm/idmm_vit-narrow_28px_drloc.py \
#     --dataset digits-300
# Published: none, our own demo data.
# Measured: not measured.
_base_ = './idmm_vit-narrow_28px.py'

model = dict(
    type='mmdrloc.DRLocIDMM',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.5',
        in_channels=96,
        hidden_channels=128,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
