# ResNet-50 as torchvision has it and starts it, trained as the transformers
# are: label smoothing, Mixup and CutMix. 25.557 M parameters.
_base_ = 'mmpretrain::_base_/models/resnet50.py'
model = dict(
    backbone=dict(zero_init_residual=False),
    head=dict(
        init_cfg=None,  # PyTorch's own
        loss=dict(_delete_=True, type='LabelSmoothLoss', label_smooth_val=0.1),
        # There is no accuracy of mixed labels.
        cal_acc=False,
    ),
    train_cfg=dict(
        augments=[
            dict(type='Mixup', alpha=0.8),
            dict(type='CutMix', alpha=1.0),
        ]
    ),
)
