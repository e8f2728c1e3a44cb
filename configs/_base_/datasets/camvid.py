# CamVid in SegNet's version of 11 classes, at 240x180: 367 photos of streets
# to train on, 101 to validate. 11 in its label maps is what has no class.
task = 'segmentation'
dataset_name = 'camvid'
dataset_title = 'CamVid'
num_classes = 11
num_train = 367
num_val = 101
metainfo = dict(
    classes=[
        'sky',
        'building',
        'pole',
        'road',
        'pavement',
        'tree',
        'sign',
        'fence',
        'car',
        'pedestrian',
        'bicyclist',
    ],
    palette=[
        [128, 128, 128],
        [128, 0, 0],
        [192, 192, 128],
        [128, 64, 128],
        [60, 40, 222],
        [128, 128, 0],
        [192, 128, 128],
        [64, 64, 128],
        [64, 0, 128],
        [64, 64, 0],
        [0, 128, 192],
    ],
)
reduce_zero_label = False

train_dataset = dict(
    type='mmdrloc.RenumberedSegDataset',
    labels=[*range(11), 255],
    data_root='data/camvid240',
    data_prefix=dict(img_path='img/train', seg_map_path='ann/train'),
    metainfo=metainfo,
)
val_dataset = dict(
    type='mmdrloc.RenumberedSegDataset',
    labels=[*range(11), 255],
    data_root='data/camvid240',
    data_prefix=dict(img_path='img/val', seg_map_path='ann/val'),
    metainfo=metainfo,
)
