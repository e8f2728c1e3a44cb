# 345 classes: 50,416 images to train on, 21,850 to test.
_base_ = 'cls_224px.py'

dataset_name = 'domainnet-painting'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-painting'

data_preprocessor = dict(num_classes=345)

train_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='painting',
        split='train',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='painting',
        split='test',
    )
)
test_dataloader = val_dataloader
