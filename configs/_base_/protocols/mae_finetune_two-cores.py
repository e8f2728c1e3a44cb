# Fine-tuning at 32 pixels in minutes on two cores: twice the rate, 2 epochs of
# warm-up; images are cropped and flipped alone.
_base_ = './mae_finetune.py'

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
    dataset=dict(pipeline=test_pipeline),
)
test_dataloader = val_dataloader
val_evaluator = dict(topk=1)
test_evaluator = val_evaluator

optim_wrapper = dict(optimizer=dict(lr=1e-3))
param_scheduler = [
    dict(_base_.param_scheduler[0], end=2),
    dict(_base_.param_scheduler[1], begin=2),
]
train_cfg = dict(max_epochs=10, val_interval=5)
auto_scale_lr = dict(base_batch_size=64)
