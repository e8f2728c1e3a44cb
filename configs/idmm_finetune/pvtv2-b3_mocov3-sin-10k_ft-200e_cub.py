# PVTv2-B3 on CUB at 224 pixels in 200 epochs, from
# mocov3_pvtv2-b3_800e_sin-10k.py.
#
# Data:  python tools/dataset_converters/prepare.py cub
# Needs: python tools/train.py \
#     configs/idmm_pretrain/mocov3_pvtv2-b3_800e_sin-10k.py
# Then:  python tools/transfer.py \
#     work_dirs/mocov3_pvtv2-b3_800e_sin-10k/epoch_800.pth \
#     work_dirs/mocov3_pvtv2-b3_800e_sin-10k/backbone.pth --config \
#     configs/idmm_finetune/pvtv2-b3_mocov3-sin-10k_ft-200e_cub.py
# Train: python tools/train.py \
#     configs/idmm_finetune/pvtv2-b3_mocov3-sin-10k_ft-200e_cub.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/pvtv2-b3_mocov3-sin-10k_ft-200e_cub.py 4
# Published: 63.7 % top-1 (IDMM poster, Table "transfer").
# Note: the poster does not say how long it fine-tunes here; 200 epochs are
#     those of its scripts.
# Measured: not measured.
_base_ = [
    '../_base_/models/pvtv2-b3.py',
    '../_base_/former_datasets/idmm_cub.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_200e.py',
    '../_base_/idmm_finetune.py',
]

source = 'work_dirs/mocov3_pvtv2-b3_800e_sin-10k/epoch_800.pth'
checkpoint = 'work_dirs/mocov3_pvtv2-b3_800e_sin-10k/backbone.pth'
this = 'configs/idmm_finetune/pvtv2-b3_mocov3-sin-10k_ft-200e_cub.py'
command = f'python tools/transfer.py {source} {checkpoint} --config {this}'
model = dict(
    backbone=dict(
        drop_path_rate=0.1,
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        ),
    ),
    head=dict(num_classes=200),
    train_cfg=None,
)
train_dataloader = dict(dataset=dict(pipeline=_base_.train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
custom_hooks = [
    *_base_.custom_hooks,
    dict(type='mmdrloc.TransferCheckHook', made_by=command),
]
