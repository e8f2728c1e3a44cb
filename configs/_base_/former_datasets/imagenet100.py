# 100 classes of ImageNet: 126,689 images to train on, 5,000 to test.
_base_ = 'cls_224px.py'

dataset_name = 'imagenet-100'
data_made_by = 'python tools/dataset_converters/prepare.py imagenet-100'

data_preprocessor = dict(num_classes=100)

train_dataloader = dict(
    dataset=dict(
        type='mmdrloc.ImageNet100', data_root='data/imagenet', split='train'
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmdrloc.ImageNet100', data_root='data/imagenet', split='val'
    )
)
test_dataloader = val_dataloader
