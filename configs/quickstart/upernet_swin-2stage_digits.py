# UperNet on scenes of handwritten digits, from random weights.
#
# Data:  python tools/dataset_converters/digits.py
# Train: python tools/train.py \
#            configs/quickstart/upernet_swin-2stage_digits.py
# Published: none, our own demo data.
# Measured: mIoU 50.6 (seed 0).
# Time: 3 min on one core; see docs/results.md.
_base_ = [
    '../_base_/models/upernet_swin.py',
    '../_base_/models/swin-2stage.py',
    '../_base_/former_datasets/digits_seg.py',
    '../_base_/schedules/quickstart_seg.py',
    '../_base_/default_runtime.py',
]
default_scope = 'mmseg'

model = dict(
    data_preprocessor=dict(size=(128, 128)),
    backbone=dict(_delete_=True, **_base_.swin_2stage, out_indices=(0, 1)),
    decode_head=dict(
        in_channels=[48, 96],
        in_index=[0, 1],
        channels=64,
        num_classes=11,
        norm_cfg=dict(type='BN'),
        loss_decode=dict(class_weight=[0.4] + [1.0] * 10),
    ),
    auxiliary_head=None,
)

default_hooks = dict(
    checkpoint=dict(by_epoch=False, interval=250),
    visualization=dict(type='SegVisualizationHook'),
)
visualizer = dict(type='SegLocalVisualizer')
log_processor = dict(by_epoch=False)
