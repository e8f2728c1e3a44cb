# An epoch shows each of the 1,397 training digits eight times: 350 updates.
optim_wrapper = dict(
    optimizer=dict(
        type='AdamW', lr=1.5e-3, betas=(0.9, 0.98), weight_decay=0.05
    )
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=50),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        T_max=3,
        convert_to_iter_based=True,
    ),
]

train_cfg = dict(by_epoch=True, max_epochs=3, val_interval=1)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=32)
