# DomainNet Clipart: 345 classes, 33,525 images to train on, 14,604 to test.
task = 'classification'
dataset_name = 'domainnet-clipart'
dataset_title = 'DomainNet Clipart'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-clipart'
num_classes = 345
num_train = 33525
num_val = 14604

train_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='train',
    domain='clipart',
)
val_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='test',
    domain='clipart',
)
