# idmm_deit_448px_100e.py for PVTv2 and T2T-ViT: 10 epochs of warm-up.
_base_ = './idmm_deit_448px_100e.py'

warmup, cosine = _base_.param_scheduler
param_scheduler = [dict(warmup, end=10), dict(cosine, begin=10)]
