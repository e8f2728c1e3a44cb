# mmseg's UperNet with Swin-T: drop path 0.3. The path is written out because
# MMEngine does not find `mmseg::` under the maintained distribution's name.
_base_ = [
    __import__('importlib.util')
    .util.find_spec('mmseg')
    .submodule_search_locations[0]
    + '/.mim/configs/swin/'
    'swin-tiny-patch4-window7-in1k-pre_upernet_8xb2-160k_ade20k-512x512.py',
    './swin-tiny_dense.py',
]

model = dict(
    backbone=dict(_delete_=True, **_base_.swin_tiny, drop_path_rate=0.3)
)
