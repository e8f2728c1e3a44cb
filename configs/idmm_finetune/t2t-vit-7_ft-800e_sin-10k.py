# T2T-ViT-7 on SIN-10k at 224 pixels in 800 epochs, from random weights.
#
# Data:  python tools/dataset_converters/imagenet_subset.py sin-10k
# Train: python tools/train.py \
#     configs/idmm_finetune/t2t-vit-7_ft-800e_sin-10k.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_finetune/t2t-vit-7_ft-800e_sin-10k.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-7.py',
    '../_base_/former_datasets/idmm_sin-10k.py',
    '../_base_/views/finetune_224px.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_finetune.py',
]

model = dict(
    backbone=dict(drop_path_rate=0.1),
    head=dict(num_classes=1000),
    train_cfg=None,
)
train_dataloader = dict(dataset=dict(pipeline=_base_.train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=_base_.test_pipeline))
test_dataloader = val_dataloader
