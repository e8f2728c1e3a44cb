# DINO of PVTv2-B0 in 800 epochs.
#
# Train: python tools/train.py configs/idmm/pretrain/dino_pvtv2-b0.py \
#     --dataset sin-10k
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/pretrain/dino_pvtv2-b0.py 4 --dataset sin-10k
# Published: none for the pre-training itself.
# Measured: not measured.
_base_ = [
    '../../_base_/models/pvtv2-b0.py',
    '../../_base_/protocols/dino_pretrain.py',
]

model = dict(
    _base_.method,
    backbone=dict(_base_.model.backbone, drop_path_rate=0.1),
    neck=dict(_base_.method.neck, in_channels=256),
    _delete_=True,
)
