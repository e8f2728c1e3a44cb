# Mask R-CNN on nuclei of cells with timm's CoAtNet, which takes images of one
# size: they are padded to it in training and in tests.
# Train: python tools/train.py configs/nuclei/mask-rcnn_coatnet-mini.py
_base_ = [
    '../_base_/models/mask-rcnn_mini.py',
    '../_base_/datasets/nuclei_bs2_192.py',
    '../_base_/schedules/nuclei_adamw_4e.py',
    '../_base_/default_runtime.py',
]

# The network of photos/coatnet-mini_64px.py: maps of strides 4 to 32. Its
# tables of relative positions are interpolated from 64 to 384 px.
model = dict(
    data_preprocessor=dict(pad_size_divisor=384),
    backbone=dict(
        _delete_=True,
        type='mmpretrain.TIMMBackbone',
        model_name='coatnet_nano_rw_224',
        img_size=384,
        stem_width=(16, 32),
        embed_dim=(32, 64, 128, 192),
        depths=(1, 1, 3, 1),
        features_only=True,
        out_indices=(1, 2, 3, 4),
    ),
    neck=dict(in_channels=[32, 64, 128, 192]),
)

# Whole images, since crops would be padded as well.
train_dataloader = dict(
    dataset=dict(
        pipeline=[
            dict(type='LoadImageFromFile'),
            dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
            dict(type='Resize', scale=(360, 360), keep_ratio=True),
            dict(
                type='RandomFlip',
                prob=0.5,
                direction=['horizontal', 'vertical'],
            ),
            dict(type='PackDetInputs'),
        ]
    )
)

default_scope = 'mmdet'
visualizer = dict(type='DetLocalVisualizer')
default_hooks = dict(
    visualization=dict(_delete_=True, type='DetVisualizationHook')
)
