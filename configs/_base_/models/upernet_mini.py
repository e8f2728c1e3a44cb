# UperNet of 64 channels, without a backbone.
_base_ = 'mmseg::_base_/models/upernet_swin.py'

norm_cfg = dict(type='BN', requires_grad=True)
model = dict(
    decode_head=dict(channels=64, norm_cfg=norm_cfg),
    auxiliary_head=dict(channels=64, norm_cfg=norm_cfg),
)
