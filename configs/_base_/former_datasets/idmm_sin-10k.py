# SIN-10k: ten training images of each of ImageNet-1K's 1,000 classes; the
# 50,000 validation images to test.
_base_ = './idmm_loaders.py'

dataset_name = 'sin-10k'
data_made_by = 'python tools/dataset_converters/imagenet_subset.py sin-10k'

train_dataloader = dict(
    dataset=dict(
        type='mmpretrain.ImageNet',
        data_root='data/imagenet',
        data_prefix='train',
        ann_file='meta/sin-10k.txt',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmpretrain.ImageNet', data_root='data/imagenet', split='val'
    )
)
test_dataloader = val_dataloader
