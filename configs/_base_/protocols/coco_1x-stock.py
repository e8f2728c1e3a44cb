# coco_1x.py as mmdet trains its detectors with Swin: AdamW, 1,000 updates of
# warm-up.
_base_ = './coco_1x.py'

optim_wrapper = dict(
    paramwise_cfg=dict(
        custom_keys={
            'absolute_pos_embed': dict(decay_mult=0.0),
            'relative_position_bias_table': dict(decay_mult=0.0),
            'norm': dict(decay_mult=0.0),
        }
    ),
    optimizer=dict(
        _delete_=True,
        type='AdamW',
        lr=1e-4,
        betas=(0.9, 0.999),
        weight_decay=0.05,
    ),
)

warmup, steps = _base_.param_scheduler
param_scheduler = [dict(warmup, end=1000), steps]
del warmup, steps
