# Fine-tuning as IDMM does, at 56 pixels in minutes on two cores; images are
# cropped alone.
_base_ = ['./idmm_finetune.py', '../schedules/idmm_800e.py']

flip, pack = _base_.train_pipeline[-2:]
load = _base_.train_pipeline[0]
crop = dict(
    type='mmpretrain.RandomResizedCrop', scale=56, crop_ratio_range=(0.4, 1.0)
)
train_pipeline = [load, crop, pack]
test_pipeline = [load, dict(type='mmpretrain.Resize', scale=56), pack]

train_dataloader = dict(
    batch_size=25,
    num_workers=0,
    persistent_workers=False,
    drop_last=True,
    dataset=dict(pipeline=train_pipeline),
)
val_dataloader = dict(
    batch_size=100,
    num_workers=0,
    persistent_workers=False,
    dataset=dict(pipeline=test_pipeline),
)
test_dataloader = val_dataloader
val_evaluator = dict(topk=1)
test_evaluator = val_evaluator

train_cfg = dict(max_epochs=40)
auto_scale_lr = dict(base_batch_size=25)
default_hooks = dict(logger=dict(interval=12))
