# UperNet on label maps of the people on 180 photos, from random weights: the
# recipe of configs/ade20k/ at a size that two processor cores manage.
#
# Data:  for split in train val; do
#            python tools/dataset_converters/coco_to_label_maps.py \
#                data/coco_mini/annotations/instances_$split.json \
#                data/coco_mini/$split data/coco_mini/people/$split \
#                --categories person
#        done
# Train: python tools/train.py \
#            configs/coco_mini/upernet_swin-mini_coco-mini.py
# Published: none.
# Measured: mIoU 48.8, IoU of people 14.8 (500 updates, seed 0).
_base_ = [
    '../_base_/models/upernet_swin.py',
    '../_base_/models/swin-mini.py',
    '../_base_/former_datasets/coco_mini_seg.py',
    '../_base_/default_runtime.py',
]
default_scope = 'mmseg'

norm_cfg = dict(type='BN', requires_grad=True)
# People cover 7 % of the pixels: unweighted, all became background.
class_weight = [1.0, 7.0]
model = dict(
    # What is padded counts as background: with class weights, mmseg 1.2 cannot
    # leave pixels out.
    data_preprocessor=dict(size=(192, 192), seg_pad_val=0),
    backbone=dict(_delete_=True, **_base_.swin_mini, out_indices=(0, 1, 2, 3)),
    decode_head=dict(
        in_channels=[32, 64, 128, 256],
        channels=64,
        num_classes=2,
        norm_cfg=norm_cfg,
        loss_decode=dict(class_weight=class_weight),
    ),
    auxiliary_head=dict(
        in_channels=128,
        channels=64,
        num_classes=2,
        norm_cfg=norm_cfg,
        loss_decode=dict(class_weight=class_weight),
    ),
)

optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(type='AdamW', lr=1e-3, weight_decay=0.01),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=30),
    dict(type='PolyLR', power=1.0, by_epoch=False, begin=30, end=500),
]
train_cfg = dict(type='IterBasedTrainLoop', max_iters=500, val_interval=500)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=4)

default_hooks = dict(
    checkpoint=dict(by_epoch=False, interval=500),
    visualization=dict(type='SegVisualizationHook'),
)
visualizer = dict(type='SegLocalVisualizer')
log_processor = dict(by_epoch=False)
