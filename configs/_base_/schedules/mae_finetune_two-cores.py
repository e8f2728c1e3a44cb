# Fine-tuning in minutes on two cores: twice the rate, 2 epochs of warm-up.
_base_ = './mae_finetune_100e.py'

optim_wrapper = dict(optimizer=dict(lr=1e-3))
param_scheduler = [
    dict(_base_.param_scheduler[0], end=2),
    dict(_base_.param_scheduler[1], begin=2),
]
