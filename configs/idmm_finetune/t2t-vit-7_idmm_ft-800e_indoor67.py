# T2T-ViT-7 on Indoor67 at 224 pixels in 800 epochs, from
# idmm_t2t-vit-7_800e_indoor67.py.
#
# Data:  python tools/dataset_converters/prepare.py indoor67
# Needs: python tools/train.py \
#     configs/idmm_pretrain/idmm_t2t-vit-7_800e_indoor67.py
# Then:  python tools/transfer.py \
#     work_dirs/idmm_t2t-vit-7_800e_indoor67/epoch_800.pth \
#     work_dirs/idmm_t2t-vit-7_800e_indoor67/backbone.pth --config \
#     configs/idmm_finetune/t2t-vit-7_idmm_ft-800e_indoor67.py
# Train: python tools/train.py \
#     configs/idmm_finetune/t2t-vit-7_idmm_ft-800e_indoor67.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/t2t-vit-7_idmm_ft-800e_indoor67.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-7.py',
    '../_base_/former_datasets/idmm_indoor67.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_finetune.py',
]

source = 'work_dirs/idmm_t2t-vit-7_800e_indoor67/epoch_800.pth'
checkpoint = 'work_dirs/idmm_t2t-vit-7_800e_indoor67/backbone.pth'
this = 'configs/idmm_finetune/t2t-vit-7_idmm_ft-800e_indoor67.py'
command = f'python tools/transfer.py {source} {checkpoint} --config {this}'
model = dict(
    backbone=dict(
        drop_path_rate=0.1,
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        ),
    ),
    head=dict(num_classes=67),
    train_cfg=None,
)
train_dataloader = dict(dataset=dict(pipeline=_base_.train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
custom_hooks = [
    *_base_.custom_hooks,
    dict(type='mmdrloc.TransferCheckHook', made_by=command),
]
