# swin-tiny_drloc.py with classes of distances: cross-entropy.
# Train: python tools/train.py configs/official/swin-tiny_drloc-ce.py \
#      --dataset imagenet-100
_base_ = './swin-tiny.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        convention='official',
        source='stages.3',
        in_channels=768,
        grid_size=(7, 7),
        loss=dict(
            type='mmdrloc.DRLocCrossEntropyLoss',
            normalize='none',
            loss_weight=0.5,
        ),
    ),
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
