# A linear classifier on the frozen masked auto-encoder.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Needs: as vit-light-narrow_mae_10e_cifar10-5k.py
# Train: python tools/train.py \
#     configs/mae/vit-light-narrow_mae-probe_10e_cifar10-5k.py
# Published: none.
# Measured: not measured.
_base_ = './vit-light-narrow_mae_10e_cifar10-5k.py'

model = dict(
    backbone=dict(frozen_stages=6, drop_path_rate=0.0),
    # Normalised without learnt scale, as MAE's linear evaluation.
    neck=dict(type='mmpretrain.ClsBatchNormNeck', input_features=96),
    head=dict(loss=dict(_delete_=True, type='mmpretrain.CrossEntropyLoss')),
    train_cfg=None,
)
optim_wrapper = dict(optimizer=dict(lr=1e-2, weight_decay=0.0))
