# 100 classes: 50,000 images to train on, 10,000 to test.
_base_ = 'cls_224px.py'

dataset_name = 'cifar100'
data_made_by = 'python tools/dataset_converters/prepare.py cifar100'

data_preprocessor = dict(num_classes=100)

train_dataloader = dict(
    dataset=dict(
        type='CIFAR100',
        data_root='data/cifar100',
        split='train',
        download=False,
    )
)
val_dataloader = dict(
    dataset=dict(
        type='CIFAR100',
        data_root='data/cifar100',
        split='test',
        download=False,
    )
)
test_dataloader = val_dataloader
