# 500 iterations of AdamW for a small UperNet.
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
