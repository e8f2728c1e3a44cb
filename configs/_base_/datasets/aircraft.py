# FGVC-Aircraft: 100 classes, 6,667 images to train on (training and
# validation), 3,333 to test.
task = 'classification'
dataset_name = 'aircraft'
dataset_title = 'FGVC-Aircraft'
data_made_by = 'python tools/dataset_converters/prepare.py aircraft'
num_classes = 100
num_train = 6667
num_val = 3333

train_dataset = dict(
    type='mmpretrain.FGVCAircraft',
    data_root='data/fgvc-aircraft-2013b',
    split='trainval',
)
val_dataset = dict(
    type='mmpretrain.FGVCAircraft',
    data_root='data/fgvc-aircraft-2013b',
    split='test',
)
