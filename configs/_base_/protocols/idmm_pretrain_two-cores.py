# IDMM of handwritten digits in minutes on two cores, crops of 28 pixels.
_base_ = ['./idmm_pretrain.py', '../schedules/idmm_800e.py']

# A mirrored digit is none; a crop of a twentieth would show no stroke.
jitter = dict(
    type='RandomApply',
    transforms=[
        dict(
            type='mmpretrain.ColorJitter',
            brightness=0.4,
            contrast=0.4,
            saturation=0.4,
            hue=0.1,
        )
    ],
    prob=0.8,
)
digit = dict(
    type='mmpretrain.RandomResizedCrop', scale=28, crop_ratio_range=(0.4, 1.0)
)
stroke = dict(digit, crop_ratio_range=(0.15, 0.5))
load, views, pack = _base_.pretraining
views = dict(views, transforms=[[digit, jitter], [stroke, jitter]])
pretraining = [load, views, pack]

train_dataloader = dict(
    batch_size=25,
    num_workers=0,
    persistent_workers=False,
    drop_last=True,
    dataset=dict(pipeline=pretraining),
)
train_cfg = dict(max_epochs=80)
auto_scale_lr = dict(base_batch_size=25)
default_hooks = dict(checkpoint=dict(interval=20), logger=dict(interval=12))
