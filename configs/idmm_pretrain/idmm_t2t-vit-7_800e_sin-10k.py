# IDMM of T2T-ViT-7 on SIN-10k in 800 epochs.
#
# Data:  python tools/dataset_converters/imagenet_subset.py sin-10k
# Train: python tools/train.py \
#     configs/idmm_pretrain/idmm_t2t-vit-7_800e_sin-10k.py
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm_pretrain/idmm_t2t-vit-7_800e_sin-10k.py 4
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/idmm_t2t-vit-7.py',
    '../_base_/former_datasets/idmm_sin-10k.py',
    '../_base_/views/idmm_112px.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_pretrain.py',
]

model = dict(head=dict(num_classes=10000))
train_dataloader = dict(dataset=dict(pipeline=_base_.pretraining))
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None
