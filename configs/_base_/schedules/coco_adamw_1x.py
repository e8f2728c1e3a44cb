# As detectors with Swin are trained: AdamW with 1e-4, 12 epochs; of mmdet are
# the steps and 500 iterations of warm-up.
_base_ = 'mmdet::_base_/schedules/schedule_1x.py'
optim_wrapper = dict(
    type='OptimWrapper',
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
