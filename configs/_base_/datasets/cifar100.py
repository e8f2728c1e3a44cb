# CIFAR-100: 100 classes, 50,000 images to train on, 10,000 to test.
task = 'classification'
dataset_name = 'cifar100'
dataset_title = 'CIFAR-100'
data_made_by = 'python tools/dataset_converters/prepare.py cifar100'
num_classes = 100
num_train = 50000
num_val = 10000
# So small that the paper enlarges test images whole, and crops none of them.
small_images = True

train_dataset = dict(
    type='mmpretrain.CIFAR100',
    data_root='data/cifar100',
    split='train',
    download=False,
)
val_dataset = dict(
    type='mmpretrain.CIFAR100',
    data_root='data/cifar100',
    split='test',
    download=False,
)
