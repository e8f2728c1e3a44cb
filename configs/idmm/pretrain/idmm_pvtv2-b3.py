# IDMM of PVTv2-B3 in 800 epochs.
#
# Train: python tools/train.py configs/idmm/pretrain/idmm_pvtv2-b3.py \
#     --dataset sin-10k
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/pretrain/idmm_pvtv2-b3.py 4 --dataset sin-10k
# Published: none for the pre-training itself.
# Measured: not measured.
_base_ = [
    '../../_base_/models/pvtv2-b3.py',
    '../../_base_/protocols/idmm_pretrain.py',
    '../../_base_/schedules/idmm_800e.py',
]

model = dict(
    _base_.method,
    backbone=dict(_base_.model.backbone, drop_path_rate=0.1),
    neck=_base_.model.neck,
    head=dict(_base_.model.head, num_classes=_base_.num_train),
    _delete_=True,
)
