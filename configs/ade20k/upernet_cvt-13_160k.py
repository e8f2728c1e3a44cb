# UperNet with CvT-13, by mmseg's recipe for Swin-T. CvT has three maps; the
# auxiliary head reads the last one.
#
# Train: python tools/train.py configs/ade20k/upernet_cvt-13_160k.py \
#            --dataset ade20k --weights work_dirs/cvt-13_drloc_imagenet-100
# 8 GPUs: bash tools/dist_train.sh \
#            configs/ade20k/upernet_cvt-13_160k.py 8 \
#            --dataset ade20k --weights work_dirs/cvt-13_drloc_imagenet-100
# Published: none.
# Measured: not measured.
_base_ = ['./upernet_pvtv2-b0_160k.py', '../_base_/models/cvt-13_dense.py']

model = dict(
    backbone=dict(_delete_=True, **_base_.network),
    decode_head=dict(in_channels=_base_.maps, in_index=[0, 1, 2]),
    auxiliary_head=dict(in_channels=_base_.maps[2]),
)
