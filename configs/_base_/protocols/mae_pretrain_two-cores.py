# Masked auto-encoding at 32 pixels in minutes on two cores: 5 epochs of
# warm-up. Validated is a tenth of the test images, drawn once: held out, and
# of all classes.
_base_ = './mae_pretrain.py'

load, crop, flip, pack = _base_.plain_pipeline
plain_pipeline = [load, dict(crop, scale=32), flip, pack]
test_pipeline = [load, dict(_base_.test_pipeline[1], scale=32), pack]

train_dataloader = dict(
    batch_size=64,
    num_workers=0,
    persistent_workers=False,
    dataset=dict(pipeline=plain_pipeline),
)
val_dataloader = dict(
    batch_size=250,
    num_workers=0,
    persistent_workers=False,
    dataset=dict(
        _delete_=True,
        type='mmpretrain.KFoldDataset',
        num_splits=10,
        fold=0,
        test_mode=True,
        seed=0,
        dataset=dict(_base_.val_dataset, pipeline=test_pipeline),
    ),
)
test_dataloader = val_dataloader

optim_wrapper = dict(optimizer=dict(lr=1.5e-3))
param_scheduler = [
    dict(_base_.param_scheduler[0], end=5),
    dict(_base_.param_scheduler[1], begin=5),
]
train_cfg = dict(max_epochs=80, val_interval=10)
auto_scale_lr = dict(base_batch_size=64)
default_hooks = dict(checkpoint=dict(interval=10))
