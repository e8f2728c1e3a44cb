# SIN-10k: ten training images of each of ImageNet-1K's 1,000 classes; the
# 50,000 validation images to test.
task = 'classification'
dataset_name = 'sin-10k'
dataset_title = 'SIN-10k'
data_made_by = 'python tools/dataset_converters/imagenet_subset.py sin-10k'
num_classes = 1000
num_train = 10000
num_val = 50000

train_dataset = dict(
    type='mmpretrain.ImageNet',
    data_root='data/imagenet',
    data_prefix='train',
    ann_file='meta/sin-10k.txt',
)
val_dataset = dict(
    type='mmpretrain.ImageNet', data_root='data/imagenet', split='val'
)
