# A linear classifier on the frozen masked auto-encoder.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Needs: as vit-light_mae_100e_cifar10.py
# Train: python tools/train.py \
#     configs/mae/vit-light_mae-probe_100e_cifar10.py
# Published: none.
# Measured: not measured.
_base_ = './vit-light_mae_100e_cifar10.py'

model = dict(
    backbone=dict(frozen_stages=12, drop_path_rate=0.0),
    # Normalised without learnt scale, as MAE's linear evaluation.
    neck=dict(type='mmpretrain.ClsBatchNormNeck', input_features=192),
    head=dict(loss=dict(_delete_=True, type='mmpretrain.CrossEntropyLoss')),
    train_cfg=None,
)
optim_wrapper = dict(optimizer=dict(lr=1e-2, weight_decay=0.0))

# Cropping and flipping alone.
train_dataloader = dict(
    dataset=dict(
        pipeline=[*_base_.train_pipeline[:3], _base_.train_pipeline[-1]]
    )
)
