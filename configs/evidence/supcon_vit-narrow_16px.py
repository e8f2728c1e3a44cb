# Supervised contrast (SupCon), the rest as simclr_vit-narrow_16px.py.
# Train: mmdrloc train evidence/supcon_vit-narrow_16px --dataset cifar10-500
# Measured: fine-tuned as IDMM is, 41.76 ± 0.10 % top-1 (seeds 0-2).
_base_ = './simclr_vit-narrow_16px.py'
model = dict(type='mmdrloc.SupCon', temperature=0.5, head=None)
