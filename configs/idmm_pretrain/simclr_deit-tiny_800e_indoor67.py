# SimCLR of DeiT-Tiny on Indoor67 in 800 epochs.
#
# Data:  python tools/dataset_converters/prepare.py indoor67
# Train: python tools/train.py \
#     configs/idmm_pretrain/simclr_deit-tiny_800e_indoor67.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_pretrain/simclr_deit-tiny_800e_indoor67.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/simclr_deit-tiny.py',
    '../_base_/former_datasets/idmm_indoor67.py',
    '../_base_/views/simclr_112px.py',
    '../_base_/schedules/idmm_deit_800e.py',
    '../_base_/idmm_pretrain.py',
]

train_dataloader = dict(
    drop_last=True, dataset=dict(pipeline=_base_.pretraining)
)
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None
