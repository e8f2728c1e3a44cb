# COCO 2017 in mmdet's layout: 80 classes, whose names CocoDataset knows,
# 118,287 images to train on (117,266 of them with objects), 5,000 to validate.
task = 'detection'
dataset_name = 'coco'
dataset_title = 'COCO 2017'
num_classes = 80
num_train = 118287
num_val = 5000
val_ann_file = 'data/coco/annotations/instances_val2017.json'

train_dataset = dict(
    type='mmdet.CocoDataset',
    data_root='data/coco/',
    ann_file='annotations/instances_train2017.json',
    data_prefix=dict(img='train2017/'),
    filter_cfg=dict(filter_empty_gt=True, min_size=32),
    backend_args=None,
)
val_dataset = dict(
    type='mmdet.CocoDataset',
    data_root='data/coco/',
    ann_file='annotations/instances_val2017.json',
    data_prefix=dict(img='val2017/'),
    test_mode=True,
    backend_args=None,
)
