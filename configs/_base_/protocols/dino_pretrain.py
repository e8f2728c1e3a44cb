# DINO as IDMM's authors ran it: two global and two local crops, all of 112
# pixels; the colours are MoCo v3's, for the local crops with another blur. A
# recipe adds the network to `method`.
#
# AdamW with 5e-4 at 256 images an update, 10 epochs of warm-up, a cosine down
# to 1e-6, 800 epochs. The weight decay rises from 0.04 to 0.4, and is 0 for
# biases and norms. The start of the warm-up is ours.
_base_ = ['./mocov3_pretrain.py', '../schedules/idmm_800e.py']

method = dict(
    type='mmdrloc.DINO',
    neck=dict(type='mmdrloc.DINONeck'),
    data_preprocessor=_base_.method.data_preprocessor,
    _delete_=True,
)

local_crop = dict(_base_.small, interpolation='bicubic')
global_crop = dict(local_crop, crop_ratio_range=(0.4, 1.0))
colors = [_base_.flip, _base_.jitter, _base_.grey]
blur = _base_.blur
pretraining = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.MultiView',
        num_views=[1, 1, 2],
        transforms=[
            [global_crop, *colors, dict(blur, prob=1.0)],
            [global_crop, *colors, dict(blur, prob=0.1), _base_.solarize],
            [local_crop, *colors, blur],
        ],
    ),
    dict(type='mmpretrain.PackInputs'),
]
train_dataloader = dict(dataset=dict(pipeline=pretraining))

optim_wrapper = dict(
    optimizer=dict(lr=5e-4, weight_decay=0.04),
    paramwise_cfg=dict(flat_decay_mult=0.0),
)
warmup, cosine = _base_.param_scheduler
param_scheduler = [
    warmup,
    dict(cosine, eta_min=1e-6),
    dict(
        type='CosineAnnealingParamScheduler',
        param_name='weight_decay',
        # Times the decay at the start: what has none keeps none.
        eta_min_ratio=10.0,
        by_epoch=True,
        convert_to_iter_based=True,
    ),
]
custom_hooks = [
    dict(type='mmdrloc.DINOGradientsHook', max_norm=3.0, frozen_epochs=1)
]
