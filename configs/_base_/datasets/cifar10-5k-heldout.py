# To choose settings: the photos of cifar10-5k.py, judged by 2,000 others of
# the 50,000 to train on. The test photos are not looked at.
_base_ = './cifar10-5k.py'

dataset_name = 'cifar10-5k-heldout'
dataset_title = '5,000 photos of CIFAR-10, 2,000 held out'
num_val = 2000

val_dataset = dict(
    type='mmdrloc.FolderSample',
    data_prefix='train',
    num_images=2000,
    seed=0,
    skip=5000,
)
