# 345 classes: 36,023 images to train on, 15,582 to test.
_base_ = 'cls_224px.py'

dataset_name = 'domainnet-infograph'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-infograph'

data_preprocessor = dict(num_classes=345)

train_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='infograph',
        split='train',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='infograph',
        split='test',
    )
)
test_dataloader = val_dataloader
