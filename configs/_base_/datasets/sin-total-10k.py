# The poster's "SIN-total 10k", which it does not define. Our reading: 10,000
# of ImageNet-1K's training images in all, whatever their classes.
task = 'classification'
dataset_name = 'sin-total-10k'
dataset_title = 'SIN-total 10k'
data_made_by = (
    'python tools/dataset_converters/imagenet_subset.py sin-total-10k'
)
num_classes = 1000
num_train = 10000
num_val = 50000

train_dataset = dict(
    type='mmpretrain.ImageNet',
    data_root='data/imagenet',
    data_prefix='train',
    ann_file='meta/sin-total-10k.txt',
)
val_dataset = dict(
    type='mmpretrain.ImageNet', data_root='data/imagenet', split='val'
)
