# Oxford-IIIT Pets: 37 classes, 3,680 images to train on, 3,669 to test.
task = 'classification'
dataset_name = 'pets'
dataset_title = 'Oxford-IIIT Pets'
data_made_by = 'python tools/dataset_converters/prepare.py pets'
num_classes = 37
num_train = 3680
num_val = 3669

train_dataset = dict(
    type='mmpretrain.OxfordIIITPet', data_root='data/pets', split='trainval'
)
val_dataset = dict(
    type='mmpretrain.OxfordIIITPet', data_root='data/pets', split='test'
)
