# 37 classes: 3,680 images to train on, 3,669 to test.
_base_ = './idmm_loaders.py'

dataset_name = 'pets'
data_made_by = 'python tools/dataset_converters/prepare.py pets'

data_preprocessor = dict(num_classes=37)

train_dataloader = dict(
    dataset=dict(
        type='mmpretrain.OxfordIIITPet',
        data_root='data/pets',
        split='trainval',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmpretrain.OxfordIIITPet', data_root='data/pets', split='test'
    )
)
test_dataloader = val_dataloader
