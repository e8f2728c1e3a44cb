# IDMM without label smoothing, as in the official script, of DeiT-Tiny on CUB
# in 800 epochs.
#
# Data:  python tools/dataset_converters/prepare.py cub
# Train: python tools/train.py \
#     configs/idmm_pretrain/idmm-official_deit-tiny_800e_cub.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_pretrain/idmm-official_deit-tiny_800e_cub.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/idmm_deit-tiny.py',
    '../_base_/former_datasets/idmm_cub.py',
    '../_base_/views/idmm_112px.py',
    '../_base_/schedules/idmm_deit_800e.py',
    '../_base_/idmm_pretrain.py',
]

model = dict(
    head=dict(
        loss=dict(
            _delete_=True, type='mmpretrain.CrossEntropyLoss', use_soft=True
        ),
        num_classes=5994,
    ),
)
train_dataloader = dict(dataset=dict(pipeline=_base_.pretraining))
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None
