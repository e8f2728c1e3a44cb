# PVTv2-B0 on Indoor67 at 448 pixels in 100 epochs, from
# pvtv2-b0_idmm_ft-800e_indoor67.py.
#
# Data:  python tools/dataset_converters/prepare.py indoor67
# Needs: python tools/train.py \
#     configs/idmm_finetune/pvtv2-b0_idmm_ft-800e_indoor67.py
# Then:  python tools/transfer.py \
#     work_dirs/pvtv2-b0_idmm_ft-800e_indoor67/epoch_800.pth \
#     work_dirs/pvtv2-b0_idmm_ft-800e_indoor67/backbone.pth --config \
#     configs/idmm_finetune/pvtv2-b0_idmm_ft448-100e_indoor67.py
# Train: python tools/train.py \
#     configs/idmm_finetune/pvtv2-b0_idmm_ft448-100e_indoor67.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/pvtv2-b0_idmm_ft448-100e_indoor67.py 4
# Published: 73.7 % top-1 (IDMM poster, Table "training from scratch").
# Measured: not measured.
_base_ = [
    '../_base_/models/pvtv2-b0.py',
    '../_base_/former_datasets/idmm_indoor67.py',
    '../_base_/views/finetune_448px.py',
    '../_base_/schedules/idmm_448px_100e.py',
    '../_base_/idmm_finetune.py',
]

source = 'work_dirs/pvtv2-b0_idmm_ft-800e_indoor67/epoch_800.pth'
checkpoint = 'work_dirs/pvtv2-b0_idmm_ft-800e_indoor67/backbone.pth'
this = 'configs/idmm_finetune/pvtv2-b0_idmm_ft448-100e_indoor67.py'
command = f'python tools/transfer.py {source} {checkpoint} --config {this}'
model = dict(
    backbone=dict(
        drop_path_rate=0.1,
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        ),
    ),
    head=dict(
        num_classes=67,
        init_cfg=dict(
            type='Pretrained', checkpoint=source, prefix='head.', _delete_=True
        ),
    ),
    train_cfg=None,
)
train_dataloader = dict(
    batch_size=32, dataset=dict(pipeline=_base_.train_pipeline)
)
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
custom_hooks = [
    *_base_.custom_hooks,
    dict(type='mmdrloc.TransferCheckHook', made_by=command),
]
