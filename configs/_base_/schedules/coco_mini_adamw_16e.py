# 16 epochs of AdamW, as in configs/coco/, at the learning rate of a small
# network.
optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(type='AdamW', lr=5e-4, weight_decay=0.05),
    clip_grad=dict(max_norm=10, norm_type=2),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=30),
    dict(type='CosineAnnealingLR', T_max=16, convert_to_iter_based=True),
]
train_cfg = dict(by_epoch=True, max_epochs=16, val_interval=16)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=2)
