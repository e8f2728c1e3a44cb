# CUB-200-2011: 200 classes, 5,994 images to train on, 5,794 to test.
task = 'classification'
dataset_name = 'cub'
dataset_title = 'CUB-200-2011'
data_made_by = 'python tools/dataset_converters/prepare.py cub'
num_classes = 200
num_train = 5994
num_val = 5794

train_dataset = dict(
    type='mmpretrain.CUB', data_root='data/CUB_200_2011', split='train'
)
val_dataset = dict(
    type='mmpretrain.CUB', data_root='data/CUB_200_2011', split='test'
)
