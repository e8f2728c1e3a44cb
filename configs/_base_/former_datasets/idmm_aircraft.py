# 100 classes: 6,667 images to train on (training and validation), 3,333 to
# test.
_base_ = './idmm_loaders.py'

dataset_name = 'aircraft'
data_made_by = 'python tools/dataset_converters/prepare.py aircraft'

data_preprocessor = dict(num_classes=100)

train_dataloader = dict(
    dataset=dict(
        type='mmpretrain.FGVCAircraft',
        data_root='data/fgvc-aircraft-2013b',
        split='trainval',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmpretrain.FGVCAircraft',
        data_root='data/fgvc-aircraft-2013b',
        split='test',
    )
)
test_dataloader = val_dataloader
