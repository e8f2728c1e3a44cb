# Fine-tuning in 400 updates of 16 photos, as many for 300 photos as for 3,000.
optim_wrapper = dict(
    optimizer=dict(type='AdamW', lr=1e-4, weight_decay=0.05),
    clip_grad=dict(max_norm=1.0),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=40),
    dict(type='CosineAnnealingLR', by_epoch=False, begin=40, end=400),
]
train_cfg = dict(type='IterBasedTrainLoop', max_iters=400, val_interval=400)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=16)
