# DeiT-Tiny on Pets at 224 pixels in 200 epochs, from
# mocov3_deit-tiny_800e_pets.py.
#
# Data:  python tools/dataset_converters/prepare.py pets
# Needs: python tools/train.py \
#     configs/idmm_pretrain/mocov3_deit-tiny_800e_pets.py
# Then:  python tools/transfer.py \
#     work_dirs/mocov3_deit-tiny_800e_pets/epoch_800.pth \
#     work_dirs/mocov3_deit-tiny_800e_pets/backbone.pth --config \
#     configs/idmm_finetune/deit-tiny_mocov3_ft-200e_pets.py
# Train: python tools/train.py \
#     configs/idmm_finetune/deit-tiny_mocov3_ft-200e_pets.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/deit-tiny_mocov3_ft-200e_pets.py 4
# Published: 52.9 % top-1 (IDMM poster, Table "pre-training methods").
# Note: the poster does not say how long it fine-tunes here; 200 epochs are
#     those of its scripts.
# Measured: not measured.
_base_ = [
    '../_base_/models/deit-tiny.py',
    '../_base_/former_datasets/idmm_pets.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_deit_200e.py',
    '../_base_/idmm_finetune.py',
]

source = 'work_dirs/mocov3_deit-tiny_800e_pets/epoch_800.pth'
checkpoint = 'work_dirs/mocov3_deit-tiny_800e_pets/backbone.pth'
this = 'configs/idmm_finetune/deit-tiny_mocov3_ft-200e_pets.py'
command = f'python tools/transfer.py {source} {checkpoint} --config {this}'
model = dict(
    backbone=dict(
        drop_path_rate=0.1,
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        ),
    ),
    head=dict(num_classes=37),
    train_cfg=None,
)
train_dataloader = dict(dataset=dict(pipeline=_base_.train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
custom_hooks = [
    *_base_.custom_hooks,
    dict(type='mmdrloc.TransferCheckHook', made_by=command),
]
