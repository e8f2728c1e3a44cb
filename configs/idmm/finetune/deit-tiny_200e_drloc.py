# deit-tiny_200e.py with DRLoc on the 14x14 grid, lambda as of ViT-B/16.
# Train: python tools/train.py configs/idmm/finetune/deit-tiny_200e_drloc.py \
#      --weights work_dirs/idmm_deit-tiny_flowers102
_base_ = './deit-tiny_200e.py'

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
