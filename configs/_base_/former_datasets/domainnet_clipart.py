# 345 classes: 33,525 images to train on, 14,604 to test.
_base_ = 'cls_224px.py'

dataset_name = 'domainnet-clipart'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-clipart'

data_preprocessor = dict(num_classes=345)

train_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='clipart',
        split='train',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='clipart',
        split='test',
    )
)
test_dataloader = val_dataloader
