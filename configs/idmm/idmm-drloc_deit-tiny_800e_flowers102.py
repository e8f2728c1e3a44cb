# idmm_deit-tiny_800e_flowers102.py with DRLoc on its crops, whose grid is
# 7x7. Lambda is that of ViT-B/16.
#
# Data:  python tools/dataset_converters/prepare.py flowers102
# Train: python tools/train.py \
#     configs/idmm/idmm-drloc_deit-tiny_800e_flowers102.py
# Published: none.
# Measured: not measured.
_base_ = '../idmm_pretrain/idmm_deit-tiny_800e_flowers102.py'

model = dict(
    type='mmdrloc.DRLocIDMM',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.11',
        in_channels=192,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.01),
    ),
)
