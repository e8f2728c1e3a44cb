# finetune_224px.py at 448 pixels.
_base_ = './finetune_224px.py'

load, crop, *others = _base_.train_pipeline
train_pipeline = [load, dict(crop, scale=448), *others]
load, resize, crop, pack = _base_.test_pipeline
test_pipeline = [
    load,
    dict(resize, scale=512),
    dict(crop, crop_size=448),
    pack,
]
