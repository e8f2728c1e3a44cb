# 196 classes: 8,144 images to train on, 8,041 to test.
_base_ = './idmm_loaders.py'

dataset_name = 'cars'
data_made_by = 'python tools/dataset_converters/prepare.py cars'

data_preprocessor = dict(num_classes=196)

train_dataloader = dict(
    dataset=dict(
        type='mmpretrain.StanfordCars',
        data_root='data/stanford_cars',
        split='train',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmpretrain.StanfordCars',
        data_root='data/stanford_cars',
        split='test',
    )
)
test_dataloader = val_dataloader
