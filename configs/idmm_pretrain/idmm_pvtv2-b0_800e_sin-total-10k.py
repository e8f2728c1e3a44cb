# IDMM of PVTv2-B0 on SIN-total 10k in 800 epochs.
#
# Data:  python tools/dataset_converters/imagenet_subset.py sin-total-10k
# Train: python tools/train.py \
#     configs/idmm_pretrain/idmm_pvtv2-b0_800e_sin-total-10k.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_pretrain/idmm_pvtv2-b0_800e_sin-total-10k.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/idmm_pvtv2-b0.py',
    '../_base_/former_datasets/idmm_sin-total-10k.py',
    '../_base_/views/idmm_112px.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_pretrain.py',
]

model = dict(head=dict(num_classes=10000))
train_dataloader = dict(dataset=dict(pipeline=_base_.pretraining))
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None
