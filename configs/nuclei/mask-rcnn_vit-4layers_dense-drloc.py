# mask-rcnn_vit-4layers.py with DRLoc while it is trained, signed offsets.
# Train: mmdrloc train nuclei/mask-rcnn_vit-4layers_dense-drloc \
#      --weights work_dirs/vit-4layers_augmented_cifar10_photos
# Measured: from evidence/vit-4layers_augmented.py 7.13 ± 0.91 box AP and 4.57
#     ± 0.65 mask AP, without DRLoc 4.80 ± 0.66 and 3.20 ± 0.35 (seeds 0-2),
#     with maps that RoIAlign misread: void.
_base_ = './mask-rcnn_vit-4layers.py'
model = dict(
    type='mmdrloc.DRLocMaskRCNN',
    drloc_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.3',
        in_channels=96,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
