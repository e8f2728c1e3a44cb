# T2T-ViT-7 on Pets at 224 pixels in 800 epochs, from random weights.
#
# Data:  python tools/dataset_converters/prepare.py pets
# Train: python tools/train.py \
#     configs/idmm_finetune/t2t-vit-7_ft-800e_pets.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/t2t-vit-7_ft-800e_pets.py 4
# Published: 66.2 % top-1 (IDMM poster, Table "training from scratch").
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-7.py',
    '../_base_/former_datasets/idmm_pets.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_finetune.py',
]

model = dict(
    backbone=dict(drop_path_rate=0.1),
    head=dict(num_classes=37),
    train_cfg=None,
)
train_dataloader = dict(dataset=dict(pipeline=_base_.train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
