# photos_30e.py at 128 pixels.
_base_ = './photos_30e.py'

# Of 64 pixels, and of the 72 that their middle is cut from.
train_pipeline, test_pipeline = (
    [
        {
            key: int(2 * value) if key in ('scale', 'crop_size') else value
            for key, value in step.items()
        }
        for step in pipeline
    ]
    for pipeline in (_base_.train_pipeline, _base_.test_pipeline)
)
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
