# MoCo v2 of DeiT-Tiny on crops of 112 pixels. The queue of ImageNet, 65,536
# keys, would hold each image of a small set many times: 1,024 are ours.
_base_ = './idmm_deit-tiny.py'

model = dict(
    _delete_=True,
    type='mmpretrain.MoCo',
    queue_len=1024,
    feat_dim=128,
    momentum=0.001,
    backbone=_base_.model.backbone,
    neck=dict(
        type='mmpretrain.MoCoV2Neck',
        in_channels=192,
        hid_channels=192,
        out_channels=128,
        with_avg_pool=False,
    ),
    head=dict(
        type='mmpretrain.ContrastiveHead',
        loss=dict(type='mmpretrain.CrossEntropyLoss'),
        temperature=0.2,
    ),
    init_cfg=_base_.model.init_cfg,
    data_preprocessor=_base_.model.data_preprocessor,
)
