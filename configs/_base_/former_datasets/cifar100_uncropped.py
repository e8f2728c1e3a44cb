# CIFAR-100 with the paper's test images: resized to 224 pixels as they are.
# (The official code cuts their border off, as cifar100.py does.)
_base_ = './cifar100.py'

test_pipeline = [
    _base_.test_pipeline[0],
    dict(type='Resize', scale=224, backend='pillow', interpolation='bicubic'),
    _base_.test_pipeline[-1],
]

val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
