# DomainNet Infograph: 345 classes, 36,023 images to train on, 15,582 to test.
task = 'classification'
dataset_name = 'domainnet-infograph'
dataset_title = 'DomainNet Infograph'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-infograph'
num_classes = 345
num_train = 36023
num_val = 15582

train_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='train',
    domain='infograph',
)
val_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='test',
    domain='infograph',
)
