# The images as the official DRLoc code has them, of any data set:
# augmentations at 224 pixels, test images resized to 256 and cropped. 8 GPUs
# with 128 images each, 1,024 an update.
_base_ = [
    'mmpretrain::_base_/datasets/imagenet_bs64_swin_224.py',
    '../datasets/{{$DATASET:cifar10}}.py',
]

data_preprocessor = dict(num_classes=_base_.num_classes)

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

train_dataloader = dict(
    batch_size=128,
    num_workers=8,
    persistent_workers=True,
    drop_last=True,
    collate_fn=dict(type='default_collate'),
    dataset=dict(_base_.train_dataset, _delete_=True, pipeline=train_pipeline),
)
val_dataloader = dict(
    batch_size=128,
    num_workers=8,
    persistent_workers=True,
    collate_fn=dict(type='default_collate'),
    dataset=dict(_base_.val_dataset, _delete_=True, pipeline=test_pipeline),
)
test_dataloader = val_dataloader
