# SVHN: 10 digits: 73,257 images to train on (without the additional ones),
# 26,032 to test.
task = 'classification'
dataset_name = 'svhn'
dataset_title = 'SVHN'
data_made_by = 'python tools/dataset_converters/prepare.py svhn'
num_classes = 10
num_train = 73257
num_val = 26032
# So small that the paper enlarges test images whole, and crops none of them.
small_images = True

train_dataset = dict(type='mmdrloc.SVHN', data_root='data/svhn', split='train')
val_dataset = dict(type='mmdrloc.SVHN', data_root='data/svhn', split='test')
