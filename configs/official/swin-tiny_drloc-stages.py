# swin-tiny_drloc.py with DRLoc on every stage (`use_multiscale`).
# Train: python tools/train.py configs/official/swin-tiny_drloc-stages.py \
#      --dataset imagenet-100
_base_ = './swin-tiny.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        convention='official',
        source=['stages.[012].downsample', 'stages.3'],
        in_channels=[192, 384, 768, 768],
        loss=dict(
            type='mmdrloc.DRLocL1Loss', normalize='none', loss_weight=0.5
        ),
    ),
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
