# ImageNet-100: 100 classes of ImageNet: 126,689 images to train on, 5,000 to
# test.
task = 'classification'
dataset_name = 'imagenet-100'
dataset_title = 'ImageNet-100'
data_made_by = 'python tools/dataset_converters/prepare.py imagenet-100'
num_classes = 100
num_train = 126689
num_val = 5000

train_dataset = dict(
    type='mmdrloc.ImageNet100', data_root='data/imagenet', split='train'
)
val_dataset = dict(
    type='mmdrloc.ImageNet100', data_root='data/imagenet', split='val'
)
