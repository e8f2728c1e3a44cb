# swin-tiny_drloc.py with mean and variance of classes.
# Train: mmdrloc train scratch_100e/swin-tiny_drloc-reg --dataset imagenet-100
_base_ = './swin-tiny.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.3',
        in_channels=768,
        grid_size=(7, 7),
        loss=dict(type='mmdrloc.DRLocGaussianLoss', loss_weight=0.5),
    ),
)
