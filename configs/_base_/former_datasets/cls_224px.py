# What the classification data sets have in common: the augmentations of the
# experiments at 224 pixels, and test images resized to 256 and cropped. A
# data set's file adds where its images are and what they are called.
_base_ = 'mmpretrain::_base_/datasets/imagenet_bs64_swin_224.py'

# Ours give the images that mmpretrain's steps of the same names give, but for
# rounding, in less time.
faster = ('RandomResizedCrop', 'RandAugment', 'RandomErasing')
# Files and images in memory alike.
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    *(
        dict(step, type=f'mmdrloc.{step.type}')
        if step.type in faster
        else step
        for step in _base_.train_pipeline[1:]
    ),
]
del faster
test_pipeline = [dict(type='mmdrloc.LoadImage'), *_base_.test_pipeline[1:]]

# 8 GPUs with 128 images each: 1,024 an update.
train_dataloader = dict(
    batch_size=128,
    num_workers=8,
    persistent_workers=True,
    drop_last=True,
    collate_fn=dict(type='default_collate'),
    dataset=dict(pipeline=train_pipeline),
)

val_dataloader = dict(
    batch_size=128,
    num_workers=8,
    persistent_workers=True,
    collate_fn=dict(type='default_collate'),
    dataset=dict(pipeline=test_pipeline),
)
test_dataloader = val_dataloader
