# UperNet with PVTv2-B0, by mmseg's recipe for Swin-T: from random weights, or
# from those that --weights names (of an IDMM training:
# work_dirs/idmm_pvtv2-b0_sin-10k).
#
# Train: python tools/train.py configs/ade20k/upernet_pvtv2-b0_160k.py \
#            --dataset ade20k
# 8 GPUs: bash tools/dist_train.sh configs/ade20k/upernet_pvtv2-b0_160k.py 8 \
#            --dataset ade20k
# Published: none.
# Measured: not measured.
_base_ = [
    './upernet_swin-tiny_160k-stock.py',
    '../_base_/models/pvtv2-b0_dense.py',
]

model = dict(
    backbone=dict(_delete_=True, **_base_.pvtv2_b0),
    decode_head=dict(in_channels=[32, 64, 160, 256]),
    auxiliary_head=dict(in_channels=160),
)
