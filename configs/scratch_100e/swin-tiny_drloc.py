# swin-tiny.py with DRLoc on the 7x7 grid before the last norm, as the paper
# has it; nothing else differs.
#
# Train: python tools/train.py configs/scratch_100e/swin-tiny_drloc.py
# Published: Tables 2-4 of the paper, 6 and 16 of its supplement, by data set:
#     README.md.
_base_ = './swin-tiny.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.3',
        in_channels=768,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5),
    ),
)
