# UperNet with CvT-13, by mmseg's recipe for Swin-T: CvT has three maps.
# Train: mmdrloc train ade20k/upernet_cvt-13_160k \
#      --weights work_dirs/cvt-13_drloc_imagenet-100
_base_ = './upernet_swin-tiny_160k.py'
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.CvT',
        arch='13',
        out_indices=(0, 1, 2),
        drop_path_rate=0.1,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    decode_head=dict(in_channels=[64, 192, 384], in_index=[0, 1, 2]),
    auxiliary_head=dict(in_channels=384),
)
