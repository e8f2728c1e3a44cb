# CvT-13 from scratch in 100 epochs, without DRLoc.
# Train: mmdrloc train scratch_100e/cvt-13
_base_ = [
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]

# As in the DRLoc experiments, without class token and final norm. Its drop
# path is its authors', as section 5 of the DRLoc paper asks.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='mmdrloc.CvT', arch='13', variant='drloc', drop_path_rate=0.1
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=10,
        in_channels=384,
        init_cfg=None,  # PyTorch's own
        loss=dict(type='LabelSmoothLoss', label_smooth_val=0.1),
    ),
    train_cfg=dict(
        augments=[
            dict(type='Mixup', alpha=0.8),
            dict(type='CutMix', alpha=1.0),
        ]
    ),
)
