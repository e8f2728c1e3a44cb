# Nine epochs of 150 scenes: 342 updates.
optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(
        type='AdamW', lr=2e-3, betas=(0.9, 0.98), weight_decay=1e-4
    ),
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.5))),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=20),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        T_max=9,
        convert_to_iter_based=True,
    ),
]

train_cfg = dict(by_epoch=True, max_epochs=9, val_interval=3)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=4)
