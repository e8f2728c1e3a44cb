# CvT-13 as its authors train it: class token, final norm, drop path 0.1 in
# the last stage, truncated normal initialisation.
_base_ = './cvt-13.py'

model = dict(
    backbone=dict(
        variant='microsoft',
        out_type='cls_token',
        # Of their published weights.
        act_cfg=dict(type='mmpretrain.QuickGELU'),
    ),
    neck=None,
    head=dict(
        init_cfg=dict(
            _delete_=True, type='TruncNormal', layer='Linear', std=0.02
        )
    ),
)
