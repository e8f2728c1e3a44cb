# Flowers102: 102 classes, 2,040 images to train on (training and validation),
# 6,149 to test.
task = 'classification'
dataset_name = 'flowers102'
dataset_title = 'Flowers102'
data_made_by = 'python tools/dataset_converters/prepare.py flowers102'
num_classes = 102
num_train = 2040
num_val = 6149

train_dataset = dict(
    type='mmpretrain.Flowers102', data_root='data/flowers102', split='trainval'
)
val_dataset = dict(
    type='mmpretrain.Flowers102', data_root='data/flowers102', split='test'
)
