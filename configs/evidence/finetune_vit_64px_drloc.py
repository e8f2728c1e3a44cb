# finetune_vit_64px.py with DRLoc, signed offsets and a small head.
# Train: mmdrloc train evidence/finetune_vit_64px_drloc \
#      --dataset FOLDER \
#      --weights work_dirs/vit-4layers_augmented_cifar10_photos
# Measured: no gain is shown (docs/earlier_results.md).
_base_ = './finetune_vit_64px.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.3',
        in_channels=96,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
