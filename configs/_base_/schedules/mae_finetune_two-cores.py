# Fine-tuning in minutes on two cores: twice the rate, 2 epochs of warm-up.
_base_ = './mae_finetune_100e.py'

optim_wrapper = dict(optimizer=dict(lr=1e-3))
param_scheduler = [
    dict(
        type='LinearLR',
        start_factor=1e-3,
        by_epoch=True,
        end=2,
        convert_to_iter_based=True,
    ),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        begin=2,
        convert_to_iter_based=True,
    ),
]
