# IDMM's schedule for DeiT: idmm_800e.py with 5e-4 and 2 epochs of warm-up.
optim_wrapper = dict(optimizer=dict(type='AdamW', lr=5e-4, weight_decay=1e-3))

param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=2, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', begin=2, convert_to_iter_based=True),
]

train_cfg = dict(by_epoch=True, max_epochs=800, val_interval=10)
auto_scale_lr = dict(base_batch_size=256)
