# Four epochs of the 1,000 scenes.
optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(
        type='AdamW', lr=1e-2, betas=(0.9, 0.98), weight_decay=1e-4
    ),
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.05))),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=50),
    dict(type='CosineAnnealingLR', by_epoch=False, T_max=1000),
]

train_cfg = dict(type='IterBasedTrainLoop', max_iters=1000, val_interval=250)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=4)
