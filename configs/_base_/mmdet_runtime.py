# Runtime of small detectors: mmdet's, with our intervals, seed and
# TensorBoard.
_base_ = 'mmdet::_base_/default_runtime.py'
default_hooks = dict(
    logger=dict(interval=25), checkpoint=dict(max_keep_ckpts=2)
)
visualizer = dict(
    vis_backends=[
        dict(type='LocalVisBackend'),
        dict(type='TensorboardVisBackend'),
    ]
)
log_processor = dict(window_size=10)
randomness = dict(seed=0)
