# Made by tools/dataset_converters/digits.py: the scenes of digits_coco.py
# with label maps, in ADE20K's layout. The background is a class.
dataset_name = 'digits'
data_made_by = 'python tools/dataset_converters/digits.py'
dataset_type = 'mmseg.BaseSegDataset'
data_root = 'data/digits/segmentation'
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

pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmseg.LoadAnnotations'),
    dict(type='mmseg.PackSegInputs'),
]

train_dataloader = dict(
    batch_size=4,
    num_workers=0,
    sampler=dict(type='InfiniteSampler', shuffle=True),
    dataset=dict(
        type=dataset_type,
        data_root=data_root,
        data_prefix=dict(
            img_path='images/training', seg_map_path='annotations/training'
        ),
        img_suffix='.png',
        metainfo=metainfo,
        pipeline=pipeline,
    ),
)

val_dataloader = dict(
    batch_size=10,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type=dataset_type,
        data_root=data_root,
        data_prefix=dict(
            img_path='images/validation', seg_map_path='annotations/validation'
        ),
        img_suffix='.png',
        metainfo=metainfo,
        pipeline=pipeline,
    ),
)
val_evaluator = dict(type='mmseg.IoUMetric', iou_metrics=['mIoU'])

test_dataloader = val_dataloader
test_evaluator = val_evaluator

# Digits are not flipped: they are seen in two sizes.
tta_model = dict(type='mmseg.SegTTAModel')
tta_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='TestTimeAug',
        transforms=[
            [
                dict(type='mmseg.Resize', scale_factor=factor, keep_ratio=True)
                for factor in (1.0, 1.25)
            ],
            [dict(type='mmseg.LoadAnnotations')],
            [dict(type='mmseg.PackSegInputs')],
        ],
    ),
]
