# Runtime of classifiers: mmpretrain's, with our intervals, seed and
# TensorBoard.
_base_ = 'mmpretrain::_base_/default_runtime.py'
default_hooks = dict(
    logger=dict(interval=25), checkpoint=dict(max_keep_ckpts=2)
)
visualizer = dict(
    vis_backends=[
        dict(type='LocalVisBackend'),
        dict(type='TensorboardVisBackend'),
    ]
)
randomness = dict(_delete_=True, seed=0)
