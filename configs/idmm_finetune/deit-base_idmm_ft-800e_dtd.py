# DeiT-Base on DTD at 224 pixels in 800 epochs, from
# idmm_deit-base_800e_dtd.py.
#
# Data:  python tools/dataset_converters/prepare.py dtd
# Needs: python tools/train.py \
#     configs/idmm_pretrain/idmm_deit-base_800e_dtd.py
# Then:  python tools/transfer.py \
#     work_dirs/idmm_deit-base_800e_dtd/epoch_800.pth \
#     work_dirs/idmm_deit-base_800e_dtd/backbone.pth --config \
#     configs/idmm_finetune/deit-base_idmm_ft-800e_dtd.py
# Train: python tools/train.py \
#     configs/idmm_finetune/deit-base_idmm_ft-800e_dtd.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/deit-base_idmm_ft-800e_dtd.py 4
# Published: 62.3 % top-1 (IDMM poster, Table "training from scratch").
# Measured: not measured.
_base_ = [
    '../_base_/models/deit-base.py',
    '../_base_/former_datasets/idmm_dtd.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_deit_800e.py',
    '../_base_/idmm_finetune.py',
]

source = 'work_dirs/idmm_deit-base_800e_dtd/epoch_800.pth'
checkpoint = 'work_dirs/idmm_deit-base_800e_dtd/backbone.pth'
this = 'configs/idmm_finetune/deit-base_idmm_ft-800e_dtd.py'
command = f'python tools/transfer.py {source} {checkpoint} --config {this}'
model = dict(
    backbone=dict(
        drop_path_rate=0.1,
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        ),
    ),
    head=dict(num_classes=47),
    train_cfg=None,
)
train_dataloader = dict(dataset=dict(pipeline=_base_.train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
custom_hooks = [
    *_base_.custom_hooks,
    dict(type='mmdrloc.TransferCheckHook', made_by=command),
]
