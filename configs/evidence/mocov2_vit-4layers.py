# MoCo v2, the rest as simclr_vit-4layers.py. The queue holds about half of the
# 5,000 images.
# Train: mmdrloc train evidence/mocov2_vit-4layers --dataset cifar10-5k
# Measured: docs/pretraining.md.
_base_ = './simclr_vit-4layers.py'
model = dict(
    type='MoCo',
    queue_len=2560,
    feat_dim=128,
    momentum=0.001,
    neck=dict(
        _delete_=True,
        type='MoCoV2Neck',
        in_channels=96,
        hid_channels=96,
        out_channels=128,
        with_avg_pool=False,
    ),
)
