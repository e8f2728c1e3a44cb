# A linear classifier on the frozen masked auto-encoder.
#
# Data: data/cifar10_photos/{train,test}/<class>/* (README.md)
# Weights: python tools/train.py \
#     configs/mae/mae_vit-light-narrow.py --dataset cifar10-5k
# Train: python tools/train.py configs/mae/vit-light-narrow_probe.py \
#     --dataset cifar10-5k --weights work_dirs/mae_vit-light-narrow_cifar10-5k
# Published: none.
# Measured: not measured.
_base_ = './vit-light-narrow.py'

carried = dict(type='Pretrained', prefix='backbone.')
model = dict(
    backbone=dict(frozen_stages=6, drop_path_rate=0.0, init_cfg=carried),
    # Normalised without learnt scale, as MAE's linear evaluation.
    neck=dict(type='mmpretrain.ClsBatchNormNeck', input_features=96),
    head=dict(loss=dict(_delete_=True, type='mmpretrain.CrossEntropyLoss')),
    train_cfg=None,
)
optim_wrapper = dict(optimizer=dict(lr=1e-2, weight_decay=0.0))
