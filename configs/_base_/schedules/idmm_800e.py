# IDMM's schedule for PVTv2 and T2T-ViT: idmm_deit_800e.py with 1e-3 and 10
# epochs of warm-up.
_base_ = './idmm_deit_800e.py'

optim_wrapper = dict(optimizer=dict(lr=1e-3))

warmup, cosine = _base_.param_scheduler
param_scheduler = [dict(warmup, end=10), dict(cosine, begin=10)]
