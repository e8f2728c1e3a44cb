# Fine-tuning in 100 epochs: half the learning rate, half the warm-up.
_base_ = './scratch_100e.py'

optim_wrapper = dict(optimizer=dict(lr=5e-4))

param_scheduler = [
    dict(
        type='LinearLR',
        start_factor=1e-3,
        by_epoch=True,
        end=10,
        convert_to_iter_based=True,
    ),
    dict(type='CosineAnnealingLR', eta_min=1e-5, by_epoch=True, begin=10),
]
