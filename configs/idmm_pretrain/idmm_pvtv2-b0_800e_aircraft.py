# IDMM of PVTv2-B0 on Aircraft in 800 epochs.
#
# Data:  python tools/dataset_converters/prepare.py aircraft
# Train: python tools/train.py \
#     configs/idmm_pretrain/idmm_pvtv2-b0_800e_aircraft.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_pretrain/idmm_pvtv2-b0_800e_aircraft.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/idmm_pvtv2-b0.py',
    '../_base_/former_datasets/idmm_aircraft.py',
    '../_base_/views/idmm_112px.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_pretrain.py',
]

model = dict(head=dict(num_classes=6667))
train_dataloader = dict(dataset=dict(pipeline=_base_.pretraining))
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None
