# PVTv2-B3 on Aircraft at 224 pixels in 800 epochs, from random weights.
#
# Data:  python tools/dataset_converters/prepare.py aircraft
# Train: python tools/train.py \
#     configs/idmm_finetune/pvtv2-b3_ft-800e_aircraft.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/pvtv2-b3_ft-800e_aircraft.py 4
# Published: 85 % top-1 (IDMM poster, Table "training from scratch").
# Measured: not measured.
_base_ = [
    '../_base_/models/pvtv2-b3.py',
    '../_base_/former_datasets/idmm_aircraft.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_finetune.py',
]

model = dict(
    backbone=dict(drop_path_rate=0.1),
    head=dict(num_classes=100),
    train_cfg=None,
)
train_dataloader = dict(dataset=dict(pipeline=_base_.train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
