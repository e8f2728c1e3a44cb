# UperNet of 64 channels for CamVid's 11 classes, without a backbone.
_base_ = 'mmseg::_base_/models/upernet_swin.py'
norm_cfg = dict(type='BN', requires_grad=True)
model = dict(
    data_preprocessor=dict(size=(176, 176), seg_pad_val=255),
    decode_head=dict(channels=64, norm_cfg=norm_cfg, num_classes=11),
    auxiliary_head=dict(channels=64, norm_cfg=norm_cfg, num_classes=11),
)
