# Swin's own recipe for detectors: coco_1x-stock.py with 500 updates of
# warm-up, and short sides that are drawn from 480 to 800 px, of the whole
# image or of a part.
_base_ = './coco_1x-stock.py'

resize = dict(
    type='RandomChoiceResize',
    scales=[(side, 1333) for side in range(480, 801, 32)],
    keep_ratio=True,
)
crop = [
    dict(
        type='RandomChoiceResize',
        scales=[(400, 1333), (500, 1333), (600, 1333)],
        keep_ratio=True,
    ),
    dict(
        type='RandomCrop',
        crop_type='absolute_range',
        crop_size=(384, 600),
        allow_negative_crop=True,
    ),
]
load, annotations, _, flip, pack = _base_.train_pipeline
train_pipeline = [
    load,
    annotations,
    flip,
    dict(type='RandomChoice', transforms=[[resize], [*crop, resize]]),
    pack,
]
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))

warmup, steps = _base_.param_scheduler
param_scheduler = [dict(warmup, end=500), steps]
del resize, crop, load, annotations, _, flip, pack, warmup, steps
