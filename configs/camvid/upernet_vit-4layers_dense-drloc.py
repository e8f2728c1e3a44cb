# upernet_vit-4layers.py with DRLoc while it is trained, signed offsets.
# Train: mmdrloc train camvid/upernet_vit-4layers_dense-drloc \
#      --weights work_dirs/vit-4layers_augmented_cifar10_photos
# Measured: from evidence/vit-4layers_augmented.py 33.06 ± 1.22 mIoU, without
#     DRLoc 33.10 ± 0.62 (seeds 0-2).
_base_ = './upernet_vit-4layers.py'
model = dict(
    type='mmdrloc.DRLocEncoderDecoder',
    drloc_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.3',
        in_channels=96,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
