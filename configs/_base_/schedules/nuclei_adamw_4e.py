# 4 epochs of AdamW at the learning rate of a small network.
optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(type='AdamW', lr=1e-3, weight_decay=0.05),
    clip_grad=dict(max_norm=10, norm_type=2),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=30),
    dict(type='CosineAnnealingLR', T_max=4, convert_to_iter_based=True),
]
train_cfg = dict(by_epoch=True, max_epochs=4, val_interval=4)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=2)
