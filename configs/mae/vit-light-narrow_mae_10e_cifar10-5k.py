# vit-light-narrow_10e_cifar10-5k.py from the masked auto-encoder.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Needs: python tools/train.py \
#            configs/mae/mae_vit-light-narrow_80e_cifar10-5k.py
#        python tools/transfer.py \
#            work_dirs/mae_vit-light-narrow_80e_cifar10-5k/epoch_80.pth \
#            work_dirs/mae_vit-light-narrow_80e_cifar10-5k/backbone.pth \
#            --config configs/mae/vit-light-narrow_mae_10e_cifar10-5k.py
# Train: python tools/train.py \
#     configs/mae/vit-light-narrow_mae_10e_cifar10-5k.py
# Published: none.
# Measured: 49.76 ± 0.68 % top-1 after 780 updates (seeds 0, 1, 2).
_base_ = './vit-light-narrow_10e_cifar10-5k.py'

checkpoint = 'work_dirs/mae_vit-light-narrow_80e_cifar10-5k/backbone.pth'
model = dict(
    backbone=dict(
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        )
    )
)
custom_hooks = [
    dict(
        type='mmdrloc.TransferCheckHook',
        made_by='python tools/transfer.py '
        'work_dirs/mae_vit-light-narrow_80e_cifar10-5k/epoch_80.pth '
        f'{checkpoint} --config '
        'configs/mae/vit-light-narrow_mae_10e_cifar10-5k.py',
    )
]
