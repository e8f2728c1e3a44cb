# DeiT-Tiny on Cars at 224 pixels in 800 epochs, from
# idmm_deit-tiny_800e_cars.py.
#
# Data:  python tools/dataset_converters/prepare.py cars
# Needs: python tools/train.py \
#     configs/idmm_pretrain/idmm_deit-tiny_800e_cars.py
# Then:  python tools/transfer.py \
#     work_dirs/idmm_deit-tiny_800e_cars/epoch_800.pth \
#     work_dirs/idmm_deit-tiny_800e_cars/backbone.pth --config \
#     configs/idmm_finetune/deit-tiny_idmm_ft-800e_cars.py
# Train: python tools/train.py \
#     configs/idmm_finetune/deit-tiny_idmm_ft-800e_cars.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/deit-tiny_idmm_ft-800e_cars.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/deit-tiny.py',
    '../_base_/former_datasets/idmm_cars.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_deit_800e.py',
    '../_base_/idmm_finetune.py',
]

source = 'work_dirs/idmm_deit-tiny_800e_cars/epoch_800.pth'
checkpoint = 'work_dirs/idmm_deit-tiny_800e_cars/backbone.pth'
this = 'configs/idmm_finetune/deit-tiny_idmm_ft-800e_cars.py'
command = f'python tools/transfer.py {source} {checkpoint} --config {this}'
model = dict(
    backbone=dict(
        drop_path_rate=0.1,
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        ),
    ),
    head=dict(num_classes=196),
    train_cfg=None,
)
train_dataloader = dict(dataset=dict(pipeline=_base_.train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
custom_hooks = [
    *_base_.custom_hooks,
    dict(type='mmdrloc.TransferCheckHook', made_by=command),
]
