# ADE20K in mmseg's layout: 150 classes, whose names and colours ADE20KDataset
# knows, 20,210 images to train on, 2,000 to validate. Its label maps count
# from 1; 0 is what no class covers.
task = 'segmentation'
dataset_name = 'ade20k'
dataset_title = 'ADE20K'
num_classes = 150
num_train = 20210
num_val = 2000
reduce_zero_label = True

train_dataset = dict(
    type='mmseg.ADE20KDataset',
    data_root='data/ade/ADEChallengeData2016',
    data_prefix=dict(
        img_path='images/training', seg_map_path='annotations/training'
    ),
)
val_dataset = dict(
    type='mmseg.ADE20KDataset',
    data_root='data/ade/ADEChallengeData2016',
    data_prefix=dict(
        img_path='images/validation', seg_map_path='annotations/validation'
    ),
)
