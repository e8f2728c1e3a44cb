# vit-light-narrow_5e_digits.py from the masked auto-encoder.
#
# Data:  python tools/dataset_converters/digits.py
# Needs: python tools/train.py \
#            configs/mae/mae_vit-light-narrow_20e_digits.py
#        python tools/transfer.py \
#            work_dirs/mae_vit-light-narrow_20e_digits/epoch_20.pth \
#            work_dirs/mae_vit-light-narrow_20e_digits/backbone.pth \
#            --config configs/mae/vit-light-narrow_mae_5e_digits.py
# Train: python tools/train.py \
#     configs/mae/vit-light-narrow_mae_5e_digits.py
# Published: none.
# Measured: not measured.
_base_ = './vit-light-narrow_5e_digits.py'

checkpoint = 'work_dirs/mae_vit-light-narrow_20e_digits/backbone.pth'
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
        'work_dirs/mae_vit-light-narrow_20e_digits/epoch_20.pth '
        f'{checkpoint} --config '
        'configs/mae/vit-light-narrow_mae_5e_digits.py',
    )
]
