# 67 classes: 5,360 images to train on, 1,340 to test.
_base_ = './idmm_loaders.py'

dataset_name = 'indoor67'
data_made_by = 'python tools/dataset_converters/prepare.py indoor67'

data_preprocessor = dict(num_classes=67)

train_dataloader = dict(
    dataset=dict(
        type='mmdrloc.Indoor67', data_root='data/indoor67', split='train'
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmdrloc.Indoor67', data_root='data/indoor67', split='test'
    )
)
test_dataloader = val_dataloader
