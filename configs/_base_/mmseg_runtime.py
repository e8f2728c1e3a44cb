# Runtime of small segmentors: mmseg's, with our intervals, seed and
# TensorBoard.
_base_ = 'mmseg::_base_/default_runtime.py'
default_hooks = dict(
    logger=dict(type='LoggerHook', interval=25),
    checkpoint=dict(
        type='CheckpointHook', by_epoch=False, interval=500, max_keep_ckpts=2
    ),
    visualization=dict(type='SegVisualizationHook'),
)
env_cfg = dict(cudnn_benchmark=False)
visualizer = dict(
    vis_backends=[
        dict(type='LocalVisBackend'),
        dict(type='TensorboardVisBackend'),
    ]
)
randomness = dict(seed=0)
