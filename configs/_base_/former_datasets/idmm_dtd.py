# 47 classes: 3,760 images to train on (training and validation), 1,880 to
# test.
_base_ = './idmm_loaders.py'

dataset_name = 'dtd'
data_made_by = 'python tools/dataset_converters/prepare.py dtd'

data_preprocessor = dict(num_classes=47)

train_dataloader = dict(
    dataset=dict(type='mmpretrain.DTD', data_root='data/dtd', split='trainval')
)
val_dataloader = dict(
    dataset=dict(type='mmpretrain.DTD', data_root='data/dtd', split='test')
)
test_dataloader = val_dataloader
