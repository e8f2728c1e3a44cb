# swin-tiny_drloc.py with signed offsets.
# Train: mmdrloc train scratch_100e/swin-tiny_drloc-signed \
#      --dataset imagenet-100
_base_ = './swin-tiny.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.3',
        in_channels=768,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
