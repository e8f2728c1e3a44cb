# UperNet with Swin-T, by mmseg's recipe in half the iterations.
# Train: python tools/train.py configs/ade20k/upernet_swin-tiny_80k.py \
#      --weights work_dirs/swin-tiny_drloc_imagenet-1k
_base_ = './upernet_swin-tiny_160k.py'

param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-6, by_epoch=False, begin=0, end=1500
    ),
    dict(
        type='PolyLR',
        eta_min=0.0,
        power=1.0,
        begin=1500,
        end=80000,
        by_epoch=False,
    ),
]
train_cfg = dict(max_iters=80000, val_interval=8000)
default_hooks = dict(checkpoint=dict(interval=8000))
