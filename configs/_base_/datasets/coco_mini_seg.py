# The photos of coco_mini.py as label maps: people, and the background.
task = 'segmentation'
dataset_name = 'coco_mini_seg'
dataset_title = 'people on a few photos, as label maps'
data_made_by = (
    'python tools/dataset_converters/coco_to_label_maps.py '
    'data/coco_mini/annotations/instances_SPLIT.json data/coco_mini/SPLIT '
    'data/coco_mini/people/SPLIT --categories person'
)
num_classes = 2
num_train = 180
num_val = 120
metainfo = dict(
    classes=['background', 'person'], palette=[[0, 0, 0], [220, 20, 60]]
)
reduce_zero_label = False
# People cover 7 % of the pixels: unweighted, all became background.
class_weight = [1.0, 7.0]

train_dataset = dict(
    type='mmseg.BaseSegDataset',
    data_root='data/coco_mini/people',
    data_prefix=dict(
        img_path='train/images', seg_map_path='train/annotations'
    ),
    metainfo=metainfo,
)
val_dataset = dict(
    type='mmseg.BaseSegDataset',
    data_root='data/coco_mini/people',
    data_prefix=dict(img_path='val/images', seg_map_path='val/annotations'),
    metainfo=metainfo,
)
