# PVTv2-B0 on DTD at 224 pixels in 200 epochs, from ImageNet-1K weights.
#
# Data:  python tools/dataset_converters/prepare.py dtd
# Needs: https://huggingface.co/timm/pvt_v2_b0.in1k/resolve/main/
#     model.safetensors, saved as pvt_v2_b0.in1k.safetensors
# Then:  python tools/transfer.py \
#     pvt_v2_b0.in1k.safetensors \
#     checkpoints/pvtv2-b0_in1k.pth --config \
#     configs/idmm_finetune/pvtv2-b0_in1k_ft-200e_dtd.py
# Train: python tools/train.py \
#     configs/idmm_finetune/pvtv2-b0_in1k_ft-200e_dtd.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/pvtv2-b0_in1k_ft-200e_dtd.py 4
# Published: 75 % top-1 (IDMM poster, Table "training from scratch").
# Measured: not measured.
_base_ = [
    '../_base_/models/pvtv2-b0.py',
    '../_base_/former_datasets/idmm_dtd.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_200e.py',
    '../_base_/idmm_finetune.py',
]

source = 'pvt_v2_b0.in1k.safetensors'
checkpoint = 'checkpoints/pvtv2-b0_in1k.pth'
this = 'configs/idmm_finetune/pvtv2-b0_in1k_ft-200e_dtd.py'
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
