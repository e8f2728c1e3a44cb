# DeiT-Tiny on CUB at 224 pixels in 200 epochs, from ImageNet-1K weights.
#
# Data:  python tools/dataset_converters/prepare.py cub
# Needs: https://dl.fbaipublicfiles.com/deit/
#     deit_tiny_patch16_224-a1311bcf.pth
# Then:  python tools/transfer.py \
#     deit_tiny_patch16_224-a1311bcf.pth \
#     checkpoints/deit-tiny_in1k.pth --config \
#     configs/idmm_finetune/deit-tiny_in1k_ft-200e_cub.py
# Train: python tools/train.py \
#     configs/idmm_finetune/deit-tiny_in1k_ft-200e_cub.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/deit-tiny_in1k_ft-200e_cub.py 4
# Published: 76.8 % top-1 (IDMM poster, Table "training from scratch").
# Measured: not measured.
_base_ = [
    '../_base_/models/deit-tiny.py',
    '../_base_/former_datasets/idmm_cub.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_deit_200e.py',
    '../_base_/idmm_finetune.py',
]

source = 'deit_tiny_patch16_224-a1311bcf.pth'
checkpoint = 'checkpoints/deit-tiny_in1k.pth'
this = 'configs/idmm_finetune/deit-tiny_in1k_ft-200e_cub.py'
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
