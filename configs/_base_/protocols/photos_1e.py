# A small network on many photos, to be carried into a dense task: one epoch,
# 64 photos an update.
_base_ = ['../views/photos_64px.py', '../cls_runtime.py']

train_dataloader = dict(batch_size=64)

optim_wrapper = dict(optimizer=dict(type='AdamW', lr=1e-3, weight_decay=0.05))
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=100),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        T_max=1,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(by_epoch=True, max_epochs=1, val_interval=1)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=64)
