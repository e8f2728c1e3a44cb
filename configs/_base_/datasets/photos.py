# Your own photos: data/photos/{train,val}/<class>/*, of as many classes as
# there are folders. `--dataset FOLDER` takes them from elsewhere.
task = 'classification'
dataset_name = 'photos'
dataset_title = 'your photos'
num_classes = len(__import__('glob').glob('data/photos/train/*/')) or 2

train_dataset = dict(
    type='mmpretrain.CustomDataset',
    data_root='data/photos',
    data_prefix='train',
)
val_dataset = dict(
    type='mmpretrain.CustomDataset',
    data_root='data/photos',
    data_prefix='val',
)
