# T2T-ViT-7 on Pets at 448 pixels in 100 epochs, from
# t2t-vit-7_idmm_ft-800e_pets.py.
#
# Data:  python tools/dataset_converters/prepare.py pets
# Needs: python tools/train.py \
#     configs/idmm_finetune/t2t-vit-7_idmm_ft-800e_pets.py
# Then:  python tools/transfer.py \
#     work_dirs/t2t-vit-7_idmm_ft-800e_pets/epoch_800.pth \
#     work_dirs/t2t-vit-7_idmm_ft-800e_pets/backbone.pth --config \
#     configs/idmm_finetune/t2t-vit-7_idmm_ft448-100e_pets.py
# Train: python tools/train.py \
#     configs/idmm_finetune/t2t-vit-7_idmm_ft448-100e_pets.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/t2t-vit-7_idmm_ft448-100e_pets.py 4
# Published: 76.9 % top-1 (IDMM poster, Table "training from scratch").
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-7.py',
    '../_base_/former_datasets/idmm_pets.py',
    '../_base_/views/finetune_448px.py',
    '../_base_/schedules/idmm_448px_100e.py',
    '../_base_/idmm_finetune.py',
]

source = 'work_dirs/t2t-vit-7_idmm_ft-800e_pets/epoch_800.pth'
checkpoint = 'work_dirs/t2t-vit-7_idmm_ft-800e_pets/backbone.pth'
this = 'configs/idmm_finetune/t2t-vit-7_idmm_ft448-100e_pets.py'
command = f'python tools/transfer.py {source} {checkpoint} --config {this}'
model = dict(
    backbone=dict(
        drop_path_rate=0.1,
        img_size=448,
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        ),
    ),
    head=dict(
        num_classes=37,
        init_cfg=dict(
            type='Pretrained', checkpoint=source, prefix='head.', _delete_=True
        ),
    ),
    train_cfg=None,
)
train_dataloader = dict(
    batch_size=8, dataset=dict(pipeline=_base_.train_pipeline)
)
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
optim_wrapper = dict(optimizer=dict(lr=1.25e-5))
auto_scale_lr = dict(base_batch_size=32)
custom_hooks = [
    *_base_.custom_hooks,
    dict(type='mmdrloc.TransferCheckHook', made_by=command),
]
