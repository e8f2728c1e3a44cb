# IDMM of DeiT-Base on Flowers102 in 800 epochs.
#
# Data:  python tools/dataset_converters/prepare.py flowers102
# Train: python tools/train.py \
#     configs/idmm_pretrain/idmm_deit-base_800e_flowers102.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_pretrain/idmm_deit-base_800e_flowers102.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/idmm_deit-base.py',
    '../_base_/former_datasets/idmm_flowers102.py',
    '../_base_/views/idmm_112px.py',
    '../_base_/schedules/idmm_deit_800e.py',
    '../_base_/idmm_pretrain.py',
]

model = dict(head=dict(num_classes=2040))
train_dataloader = dict(dataset=dict(pipeline=_base_.pretraining))
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None
