# UperNet of 64 channels, without a backbone. The path is that of
# upernet_swin.py.
_base_ = (
    __import__('importlib.util')
    .util.find_spec('mmseg')
    .submodule_search_locations[0]
    + '/.mim/configs/_base_/models/upernet_swin.py'
)

norm_cfg = dict(type='BN', requires_grad=True)
model = dict(
    decode_head=dict(channels=64, norm_cfg=norm_cfg),
    auxiliary_head=dict(channels=64, norm_cfg=norm_cfg),
)
