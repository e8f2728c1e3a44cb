# 500 of the 50,000 training images of cifar10_photos.py, all classes alike;
# its 10,000 to test.
_base_ = './cifar10_photos.py'

dataset_name = 'cifar10-500'
dataset_title = '500 photos of CIFAR-10'
num_train = 500

# Sorted by class: every hundredth.
train_dataset = dict(indices=list(range(0, 50_000, 100)))
