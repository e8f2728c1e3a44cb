# DomainNet Sketch: 345 classes, 48,212 images to train on, 20,916 to test.
task = 'classification'
dataset_name = 'domainnet-sketch'
dataset_title = 'DomainNet Sketch'
data_made_by = 'python tools/dataset_converters/prepare.py domainnet-sketch'
num_classes = 345
num_train = 48212
num_val = 20916

train_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='train',
    domain='sketch',
)
val_dataset = dict(
    type='mmdrloc.DomainNet',
    data_root='data/domainnet',
    split='test',
    domain='sketch',
)
