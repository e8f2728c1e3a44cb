# SupCon of DeiT-Tiny on Aircraft in 800 epochs.
#
# Data:  python tools/dataset_converters/prepare.py aircraft
# Train: python tools/train.py \
#     configs/idmm_pretrain/supcon_deit-tiny_800e_aircraft.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_pretrain/supcon_deit-tiny_800e_aircraft.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/supcon_deit-tiny.py',
    '../_base_/former_datasets/idmm_aircraft.py',
    '../_base_/views/simclr_112px.py',
    '../_base_/schedules/idmm_deit_800e.py',
    '../_base_/idmm_pretrain.py',
]

train_dataloader = dict(
    batch_size=128, drop_last=True, dataset=dict(pipeline=_base_.pretraining)
)
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None
auto_scale_lr = dict(base_batch_size=512)
