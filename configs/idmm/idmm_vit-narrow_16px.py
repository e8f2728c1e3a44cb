# idmm_vit-narrow_28px.py for photos, crops of 16 pixels: 160 epochs. IDMM's
# own crops of so small images would show next to nothing, and blur leave
# nothing of them.
#
# Data: data/cifar10_photos/{train,test}/<class>/* (README.md)
# Train: python tools/train.py configs/idmm/idmm_vit-narrow_16px.py \
#     --dataset cifar10-500
# Published: none, our own demo data.
# Measured: not measured.
_base_ = './idmm_vit-narrow_28px.py'

model = dict(backbone=dict(img_size=16, patch_size=4))

load, views, pack = _base_.pretraining
color = _base_.color[:3]
large = dict(_base_.large, scale=16, crop_ratio_range=(0.3, 1.0))
small = dict(large, crop_ratio_range=(0.1, 0.4))
views = dict(views, transforms=[[large, *color], [small, *color]])
pretraining = [load, views, pack]
train_dataloader = dict(dataset=dict(pipeline=pretraining))
train_cfg = dict(max_epochs=160)
default_hooks = dict(logger=dict(interval=20))
