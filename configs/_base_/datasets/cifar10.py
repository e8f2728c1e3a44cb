# CIFAR-10: 10 classes, 50,000 images to train on, 10,000 to test.
task = 'classification'
dataset_name = 'cifar10'
dataset_title = 'CIFAR-10'
data_made_by = 'python tools/dataset_converters/prepare.py cifar10'
num_classes = 10
num_train = 50000
num_val = 10000
# So small that the paper enlarges test images whole, and crops none of them.
small_images = True

train_dataset = dict(
    type='mmpretrain.CIFAR10',
    data_root='data/cifar10',
    split='train',
    download=False,
)
val_dataset = dict(
    type='mmpretrain.CIFAR10',
    data_root='data/cifar10',
    split='test',
    download=False,
)
