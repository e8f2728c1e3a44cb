# PVTv2-B3 on Pets at 224 pixels in 800 epochs, from
# idmm_pvtv2-b3_800e_pets.py.
#
# Data:  python tools/dataset_converters/prepare.py pets
# Needs: python tools/train.py \
#     configs/idmm_pretrain/idmm_pvtv2-b3_800e_pets.py
# Then:  python tools/transfer.py \
#     work_dirs/idmm_pvtv2-b3_800e_pets/epoch_800.pth \
#     work_dirs/idmm_pvtv2-b3_800e_pets/backbone.pth --config \
#     configs/idmm_finetune/pvtv2-b3_idmm_ft-800e_pets.py
# Train: python tools/train.py \
#     configs/idmm_finetune/pvtv2-b3_idmm_ft-800e_pets.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/pvtv2-b3_idmm_ft-800e_pets.py 4
# Published: 89.8 % top-1 (IDMM poster, Table "training from scratch").
# Measured: not measured.
_base_ = [
    '../_base_/models/pvtv2-b3.py',
    '../_base_/former_datasets/idmm_pets.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_finetune.py',
]

source = 'work_dirs/idmm_pvtv2-b3_800e_pets/epoch_800.pth'
checkpoint = 'work_dirs/idmm_pvtv2-b3_800e_pets/backbone.pth'
this = 'configs/idmm_finetune/pvtv2-b3_idmm_ft-800e_pets.py'
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
