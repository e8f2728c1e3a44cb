# What segmentors of few photos share: 500 updates of 4.
_base_ = '../default_runtime.py'
default_scope = 'mmseg'

val_evaluator = dict(type='mmseg.IoUMetric', iou_metrics=['mIoU'])
test_evaluator = val_evaluator

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
