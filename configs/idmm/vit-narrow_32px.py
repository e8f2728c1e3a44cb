# vit-narrow_56px.py for photos of 32 pixels, which may be mirrored.
#
# Data: data/cifar10_photos/{train,test}/<class>/* (README.md)
# Weights: python tools/train.py \
#     configs/idmm/idmm_vit-narrow_16px.py --dataset cifar10-500
# Train: python tools/train.py configs/idmm/vit-narrow_32px.py \
#     --dataset cifar10-500 \
#     --weights work_dirs/idmm_vit-narrow_16px_cifar10-500
# Published: none, our own demo data.
# Measured: with --dataset cifar10-500, 32.01 ± 0.58 % top-1 after 800 updates
#     (seeds 0, 1, 2); from the weights, 34.46 ± 0.44.
_base_ = './vit-narrow_56px.py'

model = dict(backbone=dict(img_size=32, patch_size=4))

load, crop, pack = _base_.train_pipeline
crop = dict(crop, scale=32, crop_ratio_range=(0.3, 1.0))
train_pipeline = [load, crop, _base_.flip, pack]
test_pipeline = [load, dict(_base_.test_pipeline[1], scale=32), pack]
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(batch_size=250, dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
train_cfg = dict(val_interval=40)
default_hooks = dict(logger=dict(interval=20))
