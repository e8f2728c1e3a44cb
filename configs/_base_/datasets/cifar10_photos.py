# CIFAR-10 as image files in a folder a class: 50,000 to train on, 10,000 to
# test.
task = 'classification'
dataset_name = 'cifar10_photos'
dataset_title = 'CIFAR-10 in folders'
num_classes = 10
num_train = 50000
num_val = 10000
# So small that the paper enlarges test images whole, and crops none of them.
small_images = True

train_dataset = dict(
    type='mmpretrain.CustomDataset',
    data_root='data/cifar10_photos',
    data_prefix='train',
)
val_dataset = dict(
    type='mmpretrain.CustomDataset',
    data_root='data/cifar10_photos',
    data_prefix='test',
)
