# PVTv2-B0 on Indoor67 at 224 pixels in 800 epochs, from random weights.
#
# Data:  python tools/dataset_converters/prepare.py indoor67
# Train: python tools/train.py \
#     configs/idmm_finetune/pvtv2-b0_ft-800e_indoor67.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/pvtv2-b0_ft-800e_indoor67.py 4
# Published: 66.3 % top-1 (IDMM poster, Table "training from scratch").
# Measured: not measured.
_base_ = [
    '../_base_/models/pvtv2-b0.py',
    '../_base_/former_datasets/idmm_indoor67.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_finetune.py',
]

model = dict(
    backbone=dict(drop_path_rate=0.1),
    head=dict(num_classes=67),
    train_cfg=None,
)
train_dataloader = dict(dataset=dict(pipeline=_base_.train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
