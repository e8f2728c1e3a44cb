# vit-light_100e_cifar10.py at 32 pixels with patches of 4: 0.25 G operations.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Train: python tools/train.py \
#     configs/mae/vit-light-32px-p4_100e_cifar10.py
# Published: none.
# Measured: not measured.
_base_ = './vit-light_100e_cifar10.py'

model = dict(backbone=dict(img_size=32, patch_size=4))

train_pipeline = [
    _base_.train_pipeline[0],
    dict(_base_.train_pipeline[1], scale=32),
    *_base_.train_pipeline[2:],
]
test_pipeline = [_base_.test_pipeline[0], _base_.test_pipeline[-1]]

train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
