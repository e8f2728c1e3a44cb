# ade20k_160k-plain.py for patches of 3 pixels: crops of 160 px instead of 512,
# of images at 0.3 of their size there.
_base_ = './ade20k_160k-plain.py'

crop_size = (160, 160)
new = dict(
    RandomResize=dict(scale=(640, 160)),
    RandomCrop=dict(crop_size=crop_size),
    Resize=dict(scale=(640, 160)),
)
train_pipeline, test_pipeline = (
    [dict(step, **new.get(step.type, {})) for step in pipeline]
    for pipeline in (_base_.train_pipeline, _base_.test_pipeline)
)
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
del new
