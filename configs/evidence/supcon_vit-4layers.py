# Supervised contrast (SupCon), the rest as simclr_vit-4layers.py.
# Train: mmdrloc train evidence/supcon_vit-4layers --dataset cifar10-5k
# Measured: docs/pretraining.md.
_base_ = './simclr_vit-4layers.py'
model = dict(type='mmdrloc.SupCon', temperature=0.5, head=None)
