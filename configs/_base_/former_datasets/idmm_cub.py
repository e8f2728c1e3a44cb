# 200 classes: 5,994 images to train on, 5,794 to test.
_base_ = './idmm_loaders.py'

dataset_name = 'cub'
data_made_by = 'python tools/dataset_converters/prepare.py cub'

data_preprocessor = dict(num_classes=200)

train_dataloader = dict(
    dataset=dict(
        type='mmpretrain.CUB', data_root='data/CUB_200_2011', split='train'
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmpretrain.CUB', data_root='data/CUB_200_2011', split='test'
    )
)
test_dataloader = val_dataloader
