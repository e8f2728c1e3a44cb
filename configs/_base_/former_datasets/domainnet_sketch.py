# 345 classes: 48,212 images to train on, 20,916 to test.
_base_ = 'cls_224px.py'

dataset_name = 'domainnet-sketch'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-sketch'

data_preprocessor = dict(num_classes=345)

train_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='sketch',
        split='train',
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmdrloc.DomainNet',
        data_root='data/domainnet',
        domain='sketch',
        split='test',
    )
)
test_dataloader = val_dataloader
