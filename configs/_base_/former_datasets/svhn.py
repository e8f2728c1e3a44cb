# 10 digits: 73,257 images to train on (without the additional ones), 26,032
# to test.
_base_ = 'cls_224px.py'

dataset_name = 'svhn'
data_made_by = 'python tools/dataset_converters/prepare.py svhn'

data_preprocessor = dict(num_classes=10)

train_dataloader = dict(
    dataset=dict(type='mmdrloc.SVHN', data_root='data/svhn', split='train')
)
val_dataloader = dict(
    dataset=dict(type='mmdrloc.SVHN', data_root='data/svhn', split='test')
)
test_dataloader = val_dataloader
