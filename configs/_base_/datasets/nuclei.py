# Nuclei of cells in microscopy images, 300 of them to train on, 100 to
# validate: a part of BBBC038v1 in COCO's format.
task = 'detection'
dataset_name = 'nuclei'
dataset_title = 'nuclei of cells'
num_classes = 1
num_train = 300
num_val = 100
metainfo = dict(classes=('nucleus',), palette=[(220, 20, 60)])
val_ann_file = 'data/nuclei/annotations/instances_val.json'

train_dataset = dict(
    type='mmdet.CocoDataset',
    data_root='data/nuclei/',
    ann_file='annotations/instances_train.json',
    data_prefix=dict(img='train/'),
    metainfo=metainfo,
)
val_dataset = dict(
    type='mmdet.CocoDataset',
    data_root='data/nuclei/',
    ann_file='annotations/instances_val.json',
    data_prefix=dict(img='val/'),
    metainfo=metainfo,
    test_mode=True,
)
