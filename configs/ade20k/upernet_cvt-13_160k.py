# UperNet with CvT-13, by mmseg's recipe for Swin-T: CvT has three maps.
# Train: python tools/train.py configs/ade20k/upernet_cvt-13_160k.py \
#      --weights work_dirs/cvt-13_drloc_imagenet-100
_base_ = [
    '../_base_/models/upernet_swin.py',
    '../_base_/datasets/ade20k.py',
    '../_base_/schedules/ade20k_adamw_160k.py',
    '../_base_/default_runtime_mmseg.py',
]

model = dict(
    data_preprocessor=dict(size=(512, 512)),
    backbone=dict(
        _delete_=True, type='mmdrloc.CvT', arch='13', out_indices=(0, 1, 2)
    ),
    decode_head=dict(
        in_channels=[64, 192, 384], in_index=[0, 1, 2], num_classes=150
    ),
    auxiliary_head=dict(in_channels=384, num_classes=150),
)
