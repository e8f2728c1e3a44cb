# ImageNet-1K: 1,000 classes, 1,281,167 images to train on; the 50,000
# validation images stand for the 100,000 test images, whose labels are not
# public.
task = 'classification'
dataset_name = 'imagenet-1k'
dataset_title = 'ImageNet-1K'
data_made_by = 'python tools/dataset_converters/prepare.py imagenet-1k'
num_classes = 1000
num_train = 1281167
num_val = 50000

train_dataset = dict(
    type='mmpretrain.ImageNet', data_root='data/imagenet', split='train'
)
val_dataset = dict(
    type='mmpretrain.ImageNet', data_root='data/imagenet', split='val'
)
