# MoCo v2 of DeiT-Tiny in 800 epochs.
# Train: mmdrloc train idmm/pretrain/mocov2_deit-tiny
_base_ = [
    '../../_base_/models/deit-tiny.py',
    '../../_base_/schedules/idmm_deit_800e.py',
    '../../_base_/datasets/flowers102_bs64_idmm_112.py',
    '../../_base_/default_runtime.py',
]

# The queue of ImageNet, 65,536 keys, would hold each image of a small set many
# times: 1,024 are ours.
model = dict(
    type='MoCo',
    queue_len=1024,
    feat_dim=128,
    momentum=0.001,
    backbone=dict(img_size=112, drop_path_rate=0.1),
    neck=dict(
        type='MoCoV2Neck',
        in_channels=192,
        hid_channels=192,
        out_channels=128,
        with_avg_pool=False,
    ),
    head=dict(
        _delete_=True,
        type='ContrastiveHead',
        loss=dict(type='CrossEntropyLoss'),
        temperature=0.2,
    ),
)

# Two crops of 112 pixels; see flowers102_bs64_idmm_112.py.
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='MultiView',
        num_views=2,
        transforms=[
            [
                dict(
                    type='RandomResizedCrop',
                    scale=112,
                    crop_ratio_range=(0.2, 1.0),
                    backend='pillow',
                ),
                dict(
                    type='RandomApply',
                    transforms=[
                        dict(
                            type='ColorJitter',
                            brightness=0.4,
                            contrast=0.4,
                            saturation=0.4,
                            hue=0.1,
                        )
                    ],
                    prob=0.8,
                ),
                _base_.gray,
                _base_.blur,
                _base_.flip,
            ]
        ],
    ),
    dict(type='PackInputs'),
]
train_dataloader = dict(drop_last=True, dataset=dict(pipeline=train_pipeline))
default_hooks = dict(checkpoint=dict(interval=10))
