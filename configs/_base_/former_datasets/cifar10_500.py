# 500 of CIFAR-10's 50,000 training images, all classes alike, and its 10,000
# test images, at their own 32 pixels.
_base_ = './cifar10_photos.py'

dataset_name = 'cifar10-500'

# Sorted by class: every hundredth.
train_dataloader = dict(dataset=dict(indices=list(range(0, 50_000, 100))))

test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmpretrain.PackInputs'),
]
val_dataloader = dict(batch_size=250, dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
