# mae_pretrain_two-cores.py for images of 56 pixels, as they are: 20 epochs.
_base_ = './mae_pretrain_two-cores.py'

load, resize, pack = _base_.test_pipeline
test_pipeline = [load, dict(resize, scale=56), pack]

train_dataloader = dict(
    batch_size=32, drop_last=False, dataset=dict(pipeline=test_pipeline)
)
val_dataloader = dict(
    batch_size=100,
    dataset=dict(_base_.val_dataset, _delete_=True, pipeline=test_pipeline),
)
test_dataloader = val_dataloader

optim_wrapper = dict(optimizer=dict(lr=1e-3))
train_cfg = dict(max_epochs=20, val_interval=5)
auto_scale_lr = dict(base_batch_size=32)
default_hooks = dict(checkpoint=dict(interval=5))
