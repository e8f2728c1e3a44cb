# DINO of DeiT-Tiny in 800 epochs.
# Train: mmdrloc train idmm/pretrain/dino_deit-tiny
_base_ = [
    '../../_base_/models/deit-tiny.py',
    '../../_base_/datasets/flowers102_bs64_dino_112.py',
    '../../_base_/default_runtime.py',
]
model = dict(
    type='mmdrloc.DINO',
    backbone=dict(img_size=112, drop_path_rate=0.1),
    neck=dict(type='mmdrloc.DINONeck', in_channels=192),
    head=None,
)

# As IDMM's authors ran it: AdamW with 5e-4 at 256 images an iteration, 10
# epochs of warm-up, a cosine down to 1e-6. The weight decay rises from 0.04 to
# 0.4, and is 0 for biases and norms. The start of the warm-up is ours.
optim_wrapper = dict(
    optimizer=dict(type='AdamW', lr=5e-4, weight_decay=0.04),
    paramwise_cfg=dict(flat_decay_mult=0.0),
)

param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=10, convert_to_iter_based=True
    ),
    dict(
        type='CosineAnnealingLR',
        begin=10,
        eta_min=1e-6,
        convert_to_iter_based=True,
    ),
    dict(
        type='CosineAnnealingParamScheduler',
        param_name='weight_decay',
        # Times the decay at the start: what has none keeps none.
        eta_min_ratio=10.0,
        convert_to_iter_based=True,
    ),
]

train_cfg = dict(by_epoch=True, max_epochs=800, val_interval=10)
auto_scale_lr = dict(base_batch_size=256)
custom_hooks = [
    dict(type='mmdrloc.DINOGradientsHook', max_norm=3.0, frozen_epochs=1)
]
default_hooks = dict(checkpoint=dict(interval=10))
