# mae_vit-light_2000e_cifar10.py at 32 pixels with patches of 4.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Train: python tools/train.py \
#     configs/mae/mae_vit-light-32px-p4_2000e_cifar10.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/mae/mae_vit-light-32px-p4_2000e_cifar10.py 8
# Published: none.
# Measured: not measured.
_base_ = './mae_vit-light_2000e_cifar10.py'

model = dict(
    backbone=dict(img_size=32, patch_size=4),
    neck=dict(num_patches=(32 // 4) ** 2, patch_size=4),
    head=dict(patch_size=4),
)

train_pipeline = [
    _base_.train_pipeline[0],
    dict(_base_.train_pipeline[1], scale=32),
    *_base_.train_pipeline[2:],
]
test_pipeline = [_base_.test_pipeline[0], _base_.test_pipeline[-1]]

train_dataloader = dict(
    dataset=dict(pipeline=[*train_pipeline[:3], train_pipeline[-1]])
)
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
