# finetune_cvt_64px.py with DRLoc, signed offsets and a small head.
# Train: mmdrloc train evidence/finetune_cvt_64px_drloc \
#      --dataset FOLDER --weights work_dirs/cvt-mini_32px_cifar10_photos
# Measured: no gain is shown (docs/earlier_results.md).
_base_ = './finetune_cvt_64px.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        # 8x8 cells.
        source='stages.1',
        in_channels=128,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
