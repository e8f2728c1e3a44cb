# swin-mini.py with DRLoc; nothing else differs.
#
# Data: data/photos/{train,val}/<class>/*, or any other by --dataset.
# Train: python tools/train.py configs/photos/swin-mini_drloc.py
# Train: python tools/train.py configs/photos/swin-mini_drloc.py \
#      --dataset ~/pets
_base_ = './swin-mini.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        # 8x8 cells; the last stage has 2x2.
        source='stages.1',
        in_channels=64,
        hidden_channels=128,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5),
    ),
)
