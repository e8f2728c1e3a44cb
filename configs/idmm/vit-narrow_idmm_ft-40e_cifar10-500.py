# vit-narrow_ft-40e_cifar10-500.py from IDMM's weights.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Needs: python tools/train.py \
#     configs/idmm/idmm_vit-narrow_160e_cifar10-500.py
# Then:  python tools/transfer.py \
#     work_dirs/idmm_vit-narrow_160e_cifar10-500/epoch_160.pth \
#     work_dirs/idmm_vit-narrow_160e_cifar10-500/backbone.pth --config \
#     configs/idmm/vit-narrow_idmm_ft-40e_cifar10-500.py
# Train: python tools/train.py \
#     configs/idmm/vit-narrow_idmm_ft-40e_cifar10-500.py
# Published: none, our own demo data.
# Measured: 34.46 ± 0.44 % top-1 after 800 updates (seeds 0, 1, 2).
_base_ = './vit-narrow_ft-40e_cifar10-500.py'

source = 'work_dirs/idmm_vit-narrow_160e_cifar10-500/epoch_160.pth'
checkpoint = 'work_dirs/idmm_vit-narrow_160e_cifar10-500/backbone.pth'
this = 'configs/idmm/vit-narrow_idmm_ft-40e_cifar10-500.py'
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
