# vit-light_100e_svhn.py from the masked auto-encoder.
#
# Data:  python tools/dataset_converters/prepare.py svhn
# Needs: python tools/train.py \
#            configs/mae/mae_vit-light_2000e_svhn.py
#        python tools/transfer.py \
#            work_dirs/mae_vit-light_2000e_svhn/epoch_2000.pth \
#            work_dirs/mae_vit-light_2000e_svhn/backbone.pth \
#            --config configs/mae/vit-light_mae_100e_svhn.py
# Train: python tools/train.py \
#     configs/mae/vit-light_mae_100e_svhn.py
# Published: none.
# Measured: not measured.
_base_ = './vit-light_100e_svhn.py'

checkpoint = 'work_dirs/mae_vit-light_2000e_svhn/backbone.pth'
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
        'work_dirs/mae_vit-light_2000e_svhn/epoch_2000.pth '
        f'{checkpoint} --config '
        'configs/mae/vit-light_mae_100e_svhn.py',
    )
]
