# deit-tiny_idmm_ft-200e_flowers102.py with DRLoc: IDMM's weights as the start
# of DRLoc. Lambda is that of ViT-B/16; the grid is 14x14.
#
# Data:  python tools/dataset_converters/prepare.py flowers102
# Needs: as deit-tiny_idmm_ft-200e_flowers102.py
# Train: python tools/train.py \
#     configs/idmm/deit-tiny_idmm-drloc_ft-200e_flowers102.py
# Published: none.
# Measured: not measured.
_base_ = '../idmm_finetune/deit-tiny_idmm_ft-200e_flowers102.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.11',
        in_channels=192,
        pool='avg2x2',
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.01),
    ),
)
