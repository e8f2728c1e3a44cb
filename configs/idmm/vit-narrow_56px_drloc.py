# vit-narrow_56px.py with DRLoc; nothing else differs.
#
# Data: python tools/dataset_converters/digits.py
# Weights: python tools/train.py \
#     configs/idmm/idmm_vit-narrow_28px.py --dataset digits-300
# Train: python tools/train.py configs/idmm/vit-narrow_56px_drloc.py \
#     --dataset digits-300 --weights work_dirs/idmm_vit-narrow_28px_digits-300
# Published: none, our own demo data.
# Measured: not measured.
_base_ = './vit-narrow_56px.py'

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
