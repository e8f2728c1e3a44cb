# 1,000 classes: 1,281,167 images to train on; the 50,000 validation images
# stand for the 100,000 test images, whose labels are not public.
_base_ = 'cls_224px.py'

dataset_name = 'imagenet-1k'
data_made_by = 'python tools/dataset_converters/prepare.py imagenet-1k'

train_dataloader = dict(
    dataset=dict(type='ImageNet', data_root='data/imagenet', split='train')
)
val_dataloader = dict(
    dataset=dict(type='ImageNet', data_root='data/imagenet', split='val')
)
test_dataloader = val_dataloader
