# 2,000 of the 50,000 training images of cifar10_photos.py, drawn once; its
# 10,000 to test.
_base_ = './cifar10_photos.py'

dataset_name = 'cifar10-2k'
dataset_title = '2,000 photos of CIFAR-10'
num_train = 2000

# Drawn by this seed whatever the run's.
train_dataset = dict(type='mmdrloc.FolderSample', num_images=2000, seed=0)
