# T2T-ViT-7 on DTD at 224 pixels in 200 epochs, from ImageNet-1K weights.
#
# Data:  python tools/dataset_converters/prepare.py dtd
# Needs: https://github.com/yitu-opensource/T2T-ViT/releases/download/main/
#     71.7_T2T_ViT_7.pth.tar
# Then:  python tools/transfer.py \
#     71.7_T2T_ViT_7.pth.tar \
#     checkpoints/t2t-vit-7_in1k.pth --config \
#     configs/idmm_finetune/t2t-vit-7_in1k_ft-200e_dtd.py
# Train: python tools/train.py \
#     configs/idmm_finetune/t2t-vit-7_in1k_ft-200e_dtd.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/t2t-vit-7_in1k_ft-200e_dtd.py 4
# Published: 75.2 % top-1 (IDMM poster, Table "training from scratch").
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-7.py',
    '../_base_/former_datasets/idmm_dtd.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_200e.py',
    '../_base_/idmm_finetune.py',
]

source = '71.7_T2T_ViT_7.pth.tar'
checkpoint = 'checkpoints/t2t-vit-7_in1k.pth'
this = 'configs/idmm_finetune/t2t-vit-7_in1k_ft-200e_dtd.py'
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
