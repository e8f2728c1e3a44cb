# mask-rcnn_vit-4layers.py with DRLoc while it is trained, signed offsets.
# Train: mmdrloc train nuclei/mask-rcnn_vit-4layers_dense-drloc \
#      --weights work_dirs/vit-4layers_augmented_cifar10_photos
# Measured: from 3,000 iterations of evidence/vit-4layers.py at the tenfold
#     rate on all images of CIFAR-10 box AP 26.93 ± 2.19, mask AP 24.33 ±
#     1.27, without the loss 25.87 ± 1.36 and 23.47 ± 1.04 (seeds 0 to 2).
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
