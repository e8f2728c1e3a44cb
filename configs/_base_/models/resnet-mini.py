# A ResNet that costs about what cvt-mini_cls.py does, to be compared with it:
# ResNet-18 in 16 channels instead of 64, with the stem of small images.
_base_ = './cvt-mini_cls.py'

model = dict(
    backbone=dict(
        _delete_=True,
        type='ResNet_CIFAR',
        depth=18,
        stem_channels=16,
        base_channels=16,
    ),
)
