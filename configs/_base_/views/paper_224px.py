# The images of the DRLoc paper's experiments: official_224px.py, but small
# test images are enlarged to 224 pixels whole. (The official code cuts their
# border off.)
_base_ = './official_224px.py'

crop = _base_.test_pipeline[1:-1]
whole = [
    dict(type='Resize', scale=224, backend='pillow', interpolation='bicubic')
]
test_pipeline = [
    _base_.test_pipeline[0],
    *(whole if _base_.get('small_images') else crop),
    _base_.test_pipeline[-1],
]
del crop, whole

val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
