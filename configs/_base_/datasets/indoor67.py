# Indoor67: 67 classes, 5,360 images to train on, 1,340 to test.
task = 'classification'
dataset_name = 'indoor67'
dataset_title = 'Indoor67'
data_made_by = 'python tools/dataset_converters/prepare.py indoor67'
num_classes = 67
num_train = 5360
num_val = 1340

train_dataset = dict(
    type='mmdrloc.Indoor67', data_root='data/indoor67', split='train'
)
val_dataset = dict(
    type='mmdrloc.Indoor67', data_root='data/indoor67', split='test'
)
