# vit-light_100e_cifar10.py from the masked auto-encoder.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Needs: python tools/train.py \
#            configs/mae/mae_vit-light_2000e_cifar10.py
#        python tools/transfer.py \
#            work_dirs/mae_vit-light_2000e_cifar10/epoch_2000.pth \
#            work_dirs/mae_vit-light_2000e_cifar10/backbone.pth \
#            --config configs/mae/vit-light_mae_100e_cifar10.py
# Train: python tools/train.py \
#     configs/mae/vit-light_mae_100e_cifar10.py
# Published: 96.41 % top-1 (arXiv:2402.03752; its recipe is not known).
# Measured: not measured.
_base_ = './vit-light_100e_cifar10.py'

checkpoint = 'work_dirs/mae_vit-light_2000e_cifar10/backbone.pth'
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
        'work_dirs/mae_vit-light_2000e_cifar10/epoch_2000.pth '
        f'{checkpoint} --config '
        'configs/mae/vit-light_mae_100e_cifar10.py',
    )
]
