# UperNet with the stem of resnet-50.py, one convolution of 7x7.
_base_ = './upernet_r50.py'

model = dict(
    pretrained=None,
    backbone=dict(
        type='ResNet',
        init_cfg=dict(type='Pretrained', checkpoint='torchvision://resnet50'),
    ),
)
