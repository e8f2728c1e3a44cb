# DTD: 47 classes, 3,760 images to train on (training and validation), 1,880 to
# test.
task = 'classification'
dataset_name = 'dtd'
dataset_title = 'DTD'
data_made_by = 'python tools/dataset_converters/prepare.py dtd'
num_classes = 47
num_train = 3760
num_val = 1880

train_dataset = dict(
    type='mmpretrain.DTD', data_root='data/dtd', split='trainval'
)
val_dataset = dict(type='mmpretrain.DTD', data_root='data/dtd', split='test')
