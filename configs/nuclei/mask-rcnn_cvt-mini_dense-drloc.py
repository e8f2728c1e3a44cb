# mask-rcnn_cvt-mini.py with DRLoc while it is trained, signed offsets.
# Train: mmdrloc train nuclei/mask-rcnn_cvt-mini_dense-drloc
# Measured: from photos/cvt-mini_32px.py 27.40 ± 1.51 mask AP, without DRLoc
#     29.07 ± 2.85 (seeds 0-2).
_base_ = './mask-rcnn_cvt-mini.py'
model = dict(
    type='mmdrloc.DRLocMaskRCNN',
    drloc_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.1',
        in_channels=128,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
