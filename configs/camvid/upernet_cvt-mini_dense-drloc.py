# upernet_cvt-mini.py with DRLoc while it is trained, signed offsets.
# Train: mmdrloc train camvid/upernet_cvt-mini_dense-drloc
# Measured: from photos/cvt-mini_32px.py 32.73 ± 1.29 mIoU, without DRLoc 32.29
#     ± 0.97 (seeds 0-2).
_base_ = './upernet_cvt-mini.py'
model = dict(
    type='mmdrloc.DRLocEncoderDecoder',
    drloc_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.1',
        in_channels=128,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
