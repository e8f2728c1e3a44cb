# A small network on one's own photos: 30 epochs, 5e-4, 2 epochs of warm-up.
optim_wrapper = dict(optimizer=dict(type='AdamW', lr=5e-4, weight_decay=0.05))
param_scheduler = [
    dict(
        type='LinearLR',
        by_epoch=True,
        start_factor=0.01,
        end=2,
        convert_to_iter_based=True,
    ),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        begin=2,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(by_epoch=True, max_epochs=30, val_interval=1)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=16)
