# vit-narrow_ft-40e_digits-300.py from IDMM's weights.
#
# Data:  python tools/dataset_converters/digits.py
# Needs: python tools/train.py \
#     configs/idmm/idmm_vit-narrow_80e_digits-300.py
# Then:  python tools/transfer.py \
#     work_dirs/idmm_vit-narrow_80e_digits-300/epoch_80.pth \
#     work_dirs/idmm_vit-narrow_80e_digits-300/backbone.pth --config \
#     configs/idmm/vit-narrow_idmm_ft-40e_digits-300.py
# Train: python tools/train.py \
#     configs/idmm/vit-narrow_idmm_ft-40e_digits-300.py
# Published: none, our own demo data.
# Measured: 46.58 ± 3.13 % top-1 after 480 updates (seeds 0, 1, 2).
_base_ = './vit-narrow_ft-40e_digits-300.py'

source = 'work_dirs/idmm_vit-narrow_80e_digits-300/epoch_80.pth'
checkpoint = 'work_dirs/idmm_vit-narrow_80e_digits-300/backbone.pth'
this = 'configs/idmm/vit-narrow_idmm_ft-40e_digits-300.py'
command = f'python tools/transfer.py {source} {checkpoint} --config {this}'
model = dict(
    backbone=dict(
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        )
    )
)
custom_hooks = [
    *_base_.custom_hooks,
    dict(type='mmdrloc.TransferCheckHook', made_by=command),
]
