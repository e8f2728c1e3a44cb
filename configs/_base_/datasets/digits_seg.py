# The scenes of digits_coco.py, 1,000 to train on and 100 to validate, with
# label maps, in ADE20K's layout. The background is a class.
task = 'segmentation'
dataset_name = 'digits_seg'
dataset_title = 'label maps of handwritten digits'
data_made_by = 'python tools/dataset_converters/digits.py'
num_classes = 11
num_train = 1000
num_val = 100
metainfo = dict(
    classes=['background'] + [str(digit) for digit in range(10)],
    palette=[
        [0, 0, 0],
        [230, 25, 75],
        [60, 180, 75],
        [255, 225, 25],
        [0, 130, 200],
        [245, 130, 48],
        [145, 30, 180],
        [70, 240, 240],
        [240, 50, 230],
        [210, 245, 60],
        [250, 190, 212],
    ],
)
reduce_zero_label = False
class_weight = [0.4] + [1.0] * 10

train_dataset = dict(
    type='mmseg.BaseSegDataset',
    data_root='data/digits/segmentation',
    data_prefix=dict(
        img_path='images/training', seg_map_path='annotations/training'
    ),
    img_suffix='.png',
    metainfo=metainfo,
)
val_dataset = dict(
    type='mmseg.BaseSegDataset',
    data_root='data/digits/segmentation',
    data_prefix=dict(
        img_path='images/validation', seg_map_path='annotations/validation'
    ),
    img_suffix='.png',
    metainfo=metainfo,
)
