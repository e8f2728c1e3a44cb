# Masked auto-encoding in minutes on two cores: 5 epochs of warm-up.
_base_ = './mae_2000e.py'

param_scheduler = [
    dict(
        type='LinearLR',
        start_factor=1e-3,
        by_epoch=True,
        end=5,
        convert_to_iter_based=True,
    ),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        begin=5,
        convert_to_iter_based=True,
    ),
]
