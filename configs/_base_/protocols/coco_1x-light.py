# coco_1x-plain.py for patches of 3 pixels: images at 0.3 of their size there.
_base_ = './coco_1x-plain.py'

train_pipeline, test_pipeline = (
    [
        dict(step, scale=(400, 240)) if step.type == 'Resize' else step
        for step in pipeline
    ]
    for pipeline in (_base_.train_pipeline, _base_.test_pipeline)
)
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
