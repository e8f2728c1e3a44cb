# DomainNet Real: 345 classes, 120,906 images to train on, 52,041 to test.
task = 'classification'
dataset_name = 'domainnet-real'
dataset_title = 'DomainNet Real'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-real'
num_classes = 345
num_train = 120906
num_val = 52041

train_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='train',
    domain='real',
)
val_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='test',
    domain='real',
)
