# Scenes of 128 px with 2 to 4 digits, in COCO's format, drawn by
# tools/dataset_converters/digits.py: 150 of the 1,000 to train on, few labels
# as where one would carry a backbone, and 100 to validate.
task = 'detection'
dataset_name = 'digits_coco'
dataset_title = 'scenes of handwritten digits'
data_made_by = 'python tools/dataset_converters/digits.py'
num_classes = 10
num_train = 150
num_val = 100
metainfo = dict(classes=[str(digit) for digit in range(10)])
val_ann_file = 'data/digits/detection/annotations/instances_val.json'

train_dataset = dict(
    type='mmdet.CocoDataset',
    data_root='data/digits/detection/',
    ann_file='annotations/instances_train.json',
    data_prefix=dict(img='train/'),
    metainfo=metainfo,
    indices=150,
)
val_dataset = dict(
    type='mmdet.CocoDataset',
    data_root='data/digits/detection/',
    ann_file='annotations/instances_val.json',
    data_prefix=dict(img='val/'),
    metainfo=metainfo,
    test_mode=True,
)
