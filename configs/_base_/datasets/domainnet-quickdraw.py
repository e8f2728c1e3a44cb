# DomainNet Quickdraw: 345 classes, 120,750 images to train on, 51,750 to test.
task = 'classification'
dataset_name = 'domainnet-quickdraw'
dataset_title = 'DomainNet Quickdraw'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-quickdraw'
num_classes = 345
num_train = 120750
num_val = 51750

train_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='train',
    domain='quickdraw',
)
val_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='test',
    domain='quickdraw',
)
