# A few photos in COCO's format, of whose objects people alone are looked for:
# 180 photos to train on (88 show people), 120 to validate.
task = 'detection'
dataset_name = 'coco_mini'
dataset_title = 'people on a few photos'
num_classes = 1
num_train = 180
num_val = 120
metainfo = dict(classes=('person',), palette=[(220, 20, 60)])
val_ann_file = 'data/coco_mini/annotations/instances_val.json'

train_dataset = dict(
    type='mmdet.CocoDataset',
    data_root='data/coco_mini/',
    ann_file='annotations/instances_train.json',
    data_prefix=dict(img='train/'),
    metainfo=metainfo,
    filter_cfg=dict(filter_empty_gt=True, min_size=32),
    backend_args=None,
)
val_dataset = dict(
    type='mmdet.CocoDataset',
    data_root='data/coco_mini/',
    ann_file='annotations/instances_val.json',
    data_prefix=dict(img='val/'),
    metainfo=metainfo,
    test_mode=True,
    backend_args=None,
)
