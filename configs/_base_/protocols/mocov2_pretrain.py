# MoCo v2 as IDMM's poster compares it: two crops of 112 pixels. A recipe adds
# the network to `method`. The queue of ImageNet, 65,536 keys, would hold each
# image of a small set many times: 1,024 are ours.
_base_ = './idmm_pretrain.py'

method = dict(
    type='mmpretrain.MoCo',
    queue_len=1024,
    feat_dim=128,
    momentum=0.001,
    neck=dict(
        type='mmpretrain.MoCoV2Neck',
        hid_channels=192,
        out_channels=128,
        with_avg_pool=False,
    ),
    head=dict(
        type='mmpretrain.ContrastiveHead',
        loss=dict(type='mmpretrain.CrossEntropyLoss'),
        temperature=0.2,
    ),
    data_preprocessor=_base_.method.data_preprocessor,
    _delete_=True,
)

crop = dict(_base_.large, crop_ratio_range=(0.2, 1.0))
jitter = dict(
    type='RandomApply',
    transforms=[
        dict(
            type='mmpretrain.ColorJitter',
            brightness=0.4,
            contrast=0.4,
            saturation=0.4,
            hue=0.1,
        )
    ],
    prob=0.8,
)
flip, _, grey, blur = _base_.color
pretraining = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.MultiView',
        num_views=2,
        transforms=[[crop, jitter, grey, blur, flip]],
    ),
    dict(type='mmpretrain.PackInputs'),
]
train_dataloader = dict(drop_last=True, dataset=dict(pipeline=pretraining))
