# vit-light.py at 32 pixels with patches of 4: 0.25 G operations.
#
# Weights: python tools/train.py \
#     configs/mae/mae_vit-light-32px-p4.py --dataset cifar10
# Train: python tools/train.py configs/mae/vit-light-32px-p4.py \
#     --dataset cifar10 \
#     --weights work_dirs/mae_vit-light-32px-p4_cifar10
# Published: none.
# Measured: not measured.
_base_ = './vit-light.py'

model = dict(backbone=dict(img_size=32, patch_size=4))

load, crop, *others = _base_.train_pipeline
train_pipeline = [load, dict(crop, scale=32), *others]
test_pipeline = [load, dict(_base_.test_pipeline[1], scale=32), others[-1]]
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
