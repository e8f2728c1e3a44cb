# Fine-tuning: as bs1024_adamw_100e.py, with 5e-4 and 10 epochs of warm-up.
_base_ = 'mmpretrain::_base_/schedules/imagenet_bs1024_adamw_swin.py'
optim_wrapper = dict(
    optimizer=dict(lr=5e-4),
    paramwise_cfg=dict(
        custom_keys={
            '.cls_token': dict(decay_mult=0.0),
            '.pos_embed': dict(decay_mult=0.0),
        }
    ),
    clip_grad=dict(max_norm=5.0),
)
param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=10, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', eta_min_ratio=2e-2, begin=10),
]
train_cfg = dict(max_epochs=100)
