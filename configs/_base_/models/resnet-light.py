# A ResNet of vit-light.py's size for images of 36 px, to be compared with it;
# the choice is ours. ResNet-18 in 36 channels instead of 64, with the stem of
# small images: 3 x 3, no stride, no pooling.
_base_ = './vit-light.py'

model = dict(
    backbone=dict(
        _delete_=True,
        type='mmpretrain.ResNet_CIFAR',
        depth=18,
        stem_channels=36,
        base_channels=36,
        zero_init_residual=False,
    ),
    neck=dict(type='mmpretrain.GlobalAveragePooling'),
    head=dict(
        type='mmpretrain.LinearClsHead',
        in_channels=288,
        init_cfg=None,  # PyTorch's own
    ),
    init_cfg=None,
)
