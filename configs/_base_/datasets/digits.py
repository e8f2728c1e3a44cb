# Single digits drawn by tools/dataset_converters/digits.py: 1,397 digits in 8
# drawings each to train on, 400 other digits to validate.
task = 'classification'
dataset_name = 'digits'
dataset_title = 'handwritten digits'
data_made_by = 'python tools/dataset_converters/digits.py'
num_classes = 10
num_train = 11176
num_val = 400
metainfo = dict(classes=[str(digit) for digit in range(10)])

train_dataset = dict(
    type='mmpretrain.CustomDataset',
    data_root='data/digits/classification',
    data_prefix='train',
    metainfo=metainfo,
)
val_dataset = dict(
    type='mmpretrain.CustomDataset',
    data_root='data/digits/classification',
    data_prefix='val',
    metainfo=metainfo,
)
