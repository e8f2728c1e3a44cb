# Masked auto-encoding in minutes on two cores: 5 epochs of warm-up.
_base_ = './mae_2000e.py'

param_scheduler = [
    dict(_base_.param_scheduler[0], end=5),
    dict(_base_.param_scheduler[1], begin=5),
]
