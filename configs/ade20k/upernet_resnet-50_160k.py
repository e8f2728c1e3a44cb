# UperNet with torchvision's ResNet-50, trained as with Swin-T.
# Train: mmdrloc train ade20k/upernet_resnet-50_160k \
#      --weights work_dirs/resnet-50_drloc_imagenet-100
_base_ = [
    'mmseg::_base_/models/upernet_r50.py',
    '../_base_/datasets/ade20k.py',
    '../_base_/schedules/ade20k_adamw_160k.py',
    'mmseg::_base_/default_runtime.py',
]

# The stem of resnet-50.py, one convolution of 7x7.
model = dict(
    data_preprocessor=dict(size=(512, 512)),
    pretrained=None,
    backbone=dict(
        type='ResNet',
        init_cfg=dict(type='Pretrained', checkpoint='torchvision://resnet50'),
    ),
    decode_head=dict(num_classes=150),
    auxiliary_head=dict(num_classes=150),
)
