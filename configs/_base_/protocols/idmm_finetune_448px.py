# On from 224 to 448 pixels, network and classifier: 100 epochs with 5e-5 at
# 128 images an update (4 GPUs with 32 each), 10 of them warm-up.
_base_ = ['./idmm_finetune.py', '../schedules/idmm_800e.py']

load, crop, *others = _base_.train_pipeline
train_pipeline = [load, dict(crop, scale=448), *others]
load, resize, crop, pack = _base_.test_pipeline
test_pipeline = [
    load,
    dict(resize, scale=512),
    dict(crop, crop_size=448),
    pack,
]
train_dataloader = dict(batch_size=32, dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader

optim_wrapper = dict(optimizer=dict(lr=5e-5))
train_cfg = dict(max_epochs=100)
auto_scale_lr = dict(base_batch_size=128)

# What comes from 224 pixels, by `--weights`: a recipe's backbone and head.
carried = dict(
    backbone=dict(
        drop_path_rate=0.1,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    head=dict(init_cfg=dict(type='Pretrained', prefix='head.', _delete_=True)),
)
