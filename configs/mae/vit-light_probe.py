# A linear classifier on the frozen masked auto-encoder; images are cropped and
# flipped alone.
#
# Weights: python tools/train.py \
#     configs/mae/mae_vit-light.py --dataset cifar10
# Train: python tools/train.py configs/mae/vit-light_probe.py \
#     --dataset cifar10 --weights work_dirs/mae_vit-light_cifar10
# Published: none.
# Measured: not measured.
_base_ = './vit-light.py'

carried = dict(type='Pretrained', prefix='backbone.')
model = dict(
    backbone=dict(frozen_stages=12, drop_path_rate=0.0, init_cfg=carried),
    # Normalised without learnt scale, as MAE's linear evaluation.
    neck=dict(type='mmpretrain.ClsBatchNormNeck', input_features=192),
    head=dict(loss=dict(_delete_=True, type='mmpretrain.CrossEntropyLoss')),
    train_cfg=None,
)
optim_wrapper = dict(optimizer=dict(lr=1e-2, weight_decay=0.0))
train_dataloader = dict(dataset=dict(pipeline=_base_.plain_pipeline))
