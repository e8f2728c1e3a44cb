# 345 classes: 120,750 images to train on, 51,750 to test.
_base_ = 'cls_224px.py'

dataset_name = 'domainnet-quickdraw'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-quickdraw'

data_preprocessor = dict(num_classes=345)

train_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='quickdraw',
        split='train',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='quickdraw',
        split='test',
    )
)
test_dataloader = val_dataloader
