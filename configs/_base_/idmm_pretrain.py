# What every pre-training of IDMM's experiments shares.
_base_ = './cls_runtime.py'

default_hooks = dict(checkpoint=dict(interval=10))
