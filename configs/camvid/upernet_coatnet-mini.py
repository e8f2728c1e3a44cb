# UperNet on photos of streets with timm's CoAtNet, which takes images of one
# size: crops are padded to it, and a window of it slides over test images.
# Train: python tools/train.py configs/camvid/upernet_coatnet-mini.py
_base_ = [
    '../_base_/models/upernet_mini.py',
    '../_base_/datasets/camvid_bs4_176.py',
    '../_base_/schedules/upernet_mini_adamw_500it.py',
    '../_base_/default_runtime.py',
]

# The network of photos/coatnet-mini_64px.py: maps of strides 4 to 32. Its
# tables of relative positions are interpolated from 64 to 192 px.
model = dict(
    data_preprocessor=dict(
        size=(192, 192), seg_pad_val=255, test_cfg=dict(size=(192, 256))
    ),
    backbone=dict(
        _delete_=True,
        type='mmpretrain.TIMMBackbone',
        model_name='coatnet_nano_rw_224',
        img_size=192,
        stem_width=(16, 32),
        embed_dim=(32, 64, 128, 192),
        depths=(1, 1, 3, 1),
        features_only=True,
        out_indices=(1, 2, 3, 4),
    ),
    decode_head=dict(num_classes=11, in_channels=[32, 64, 128, 192]),
    auxiliary_head=dict(num_classes=11, in_channels=128),
    test_cfg=dict(mode='slide', crop_size=(192, 192), stride=(64, 64)),
)

default_scope = 'mmseg'
visualizer = dict(type='SegLocalVisualizer')
log_processor = dict(by_epoch=False)
default_hooks = dict(
    checkpoint=dict(by_epoch=False, interval=500),
    visualization=dict(_delete_=True, type='SegVisualizationHook'),
)
