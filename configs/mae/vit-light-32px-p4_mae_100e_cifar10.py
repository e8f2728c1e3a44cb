# vit-light-32px-p4_100e_cifar10.py from the masked auto-encoder.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Needs: python tools/train.py \
#            configs/mae/mae_vit-light-32px-p4_2000e_cifar10.py
#        python tools/transfer.py \
#            work_dirs/mae_vit-light-32px-p4_2000e_cifar10/epoch_2000.pth \
#            work_dirs/mae_vit-light-32px-p4_2000e_cifar10/backbone.pth \
#            --config configs/mae/vit-light-32px-p4_mae_100e_cifar10.py
# Train: python tools/train.py \
#     configs/mae/vit-light-32px-p4_mae_100e_cifar10.py
# Published: none.
# Measured: not measured.
_base_ = './vit-light-32px-p4_100e_cifar10.py'

checkpoint = 'work_dirs/mae_vit-light-32px-p4_2000e_cifar10/backbone.pth'
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
        'work_dirs/mae_vit-light-32px-p4_2000e_cifar10/epoch_2000.pth '
        f'{checkpoint} --config '
        'configs/mae/vit-light-32px-p4_mae_100e_cifar10.py',
    )
]
