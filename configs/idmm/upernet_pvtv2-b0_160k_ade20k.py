# UperNet with PVTv2-B0 from random weights: mmseg's recipe for Swin-T with
# another backbone.
#
# Data:  ADE20K in mmseg's layout, data/ade/ADEChallengeData2016
# Train: bash tools/dist_train.sh \
#     configs/idmm/upernet_pvtv2-b0_160k_ade20k.py 8
# Published: none.
# Measured: not measured.
_base_ = '../_base_/dense/upernet_swin-tiny_stock.py'

model = dict(
    backbone=dict(
        _delete_=True,
        type='mmpretrain.TIMMBackbone',
        model_name='pvt_v2_b0',
        features_only=True,
        drop_path_rate=0.1,
    ),
    decode_head=dict(in_channels=[32, 64, 160, 256]),
    auxiliary_head=dict(in_channels=160),
)
