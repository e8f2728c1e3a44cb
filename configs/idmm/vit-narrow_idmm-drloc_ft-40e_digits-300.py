# vit-narrow_idmm_ft-40e_digits-300.py with DRLoc; nothing else differs.
#
# Data:  python tools/dataset_converters/digits.py
# Needs: as vit-narrow_idmm_ft-40e_digits-300.py
# Train: python tools/train.py \
#     configs/idmm/vit-narrow_idmm-drloc_ft-40e_digits-300.py
# Published: none, our own demo data.
# Measured: not measured.
_base_ = './vit-narrow_idmm_ft-40e_digits-300.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.5',
        in_channels=96,
        hidden_channels=128,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
