# DomainNet Painting: 345 classes, 50,416 images to train on, 21,850 to test.
task = 'classification'
dataset_name = 'domainnet-painting'
dataset_title = 'DomainNet Painting'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-painting'
num_classes = 345
num_train = 50416
num_val = 21850

train_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='train',
    domain='painting',
)
val_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='test',
    domain='painting',
)
