# 10 classes: 50,000 images to train on, 10,000 to test.
_base_ = 'cls_224px.py'

dataset_name = 'cifar10'
data_made_by = 'python tools/dataset_converters/prepare.py cifar10'

data_preprocessor = dict(num_classes=10)

train_dataloader = dict(
    dataset=dict(
        type='CIFAR10', data_root='data/cifar10', split='train', download=False
    )
)
val_dataloader = dict(
    dataset=dict(
        type='CIFAR10', data_root='data/cifar10', split='test', download=False
    )
)
test_dataloader = val_dataloader
