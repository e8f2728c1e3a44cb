# DINO of DeiT-Tiny on Cars in 800 epochs.
#
# Data:  python tools/dataset_converters/prepare.py cars
# Train: python tools/train.py \
#     configs/idmm_pretrain/dino_deit-tiny_800e_cars.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_pretrain/dino_deit-tiny_800e_cars.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/dino_deit-tiny.py',
    '../_base_/former_datasets/idmm_cars.py',
    '../_base_/views/dino_112px.py',
    '../_base_/schedules/dino_800e.py',
    '../_base_/idmm_pretrain.py',
]

train_dataloader = dict(
    drop_last=True, dataset=dict(pipeline=_base_.pretraining)
)
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None
