# 102 classes: 2,040 images to train on (training and validation), 6,149 to
# test.
_base_ = './idmm_loaders.py'

dataset_name = 'flowers102'
data_made_by = 'python tools/dataset_converters/prepare.py flowers102'

data_preprocessor = dict(num_classes=102)

train_dataloader = dict(
    dataset=dict(
        type='mmpretrain.Flowers102',
        data_root='data/flowers102',
        split='trainval',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmpretrain.Flowers102', data_root='data/flowers102', split='test'
    )
)
test_dataloader = val_dataloader
