# 345 classes: 120,906 images to train on, 52,041 to test.
_base_ = 'cls_224px.py'

dataset_name = 'domainnet-real'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-real'

data_preprocessor = dict(num_classes=345)

train_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='real',
        split='train',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='real',
        split='test',
    )
)
test_dataloader = val_dataloader
