# UperNet with cvt-mini.py: upernet_swin-mini.py on maps of strides 4 and 8.
_base_ = ['./upernet_swin-mini.py', './cvt-mini.py']

model = dict(
    backbone=dict(_delete_=True, **_base_.cvt_mini, out_indices=(0, 1)),
    decode_head=dict(in_channels=[64, 128], in_index=[0, 1]),
    auxiliary_head=dict(in_channels=128, in_index=1),
)
