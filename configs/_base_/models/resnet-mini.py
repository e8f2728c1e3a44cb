# ResNet-18 in 16 channels instead of 64, with the stem of small images: costs
# about what a ViT or a CvT of these sizes does.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='ResNet_CIFAR', depth=18, stem_channels=16, base_channels=16
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=10,
        in_channels=128,
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
)
