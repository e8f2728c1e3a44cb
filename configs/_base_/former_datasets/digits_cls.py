# Made by tools/dataset_converters/digits.py: 1,397 digits in 8 drawings each
# to train on, 400 other digits to validate.
dataset_name = 'digits'
data_made_by = 'python tools/dataset_converters/digits.py'
dataset_type = 'mmpretrain.CustomDataset'
data_root = 'data/digits/classification'
metainfo = dict(classes=[str(digit) for digit in range(10)])

data_preprocessor = dict(
    num_classes=10,
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

pipeline = [dict(type='LoadImageFromFile'), dict(type='mmpretrain.PackInputs')]

train_dataloader = dict(
    batch_size=32,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        type=dataset_type,
        data_root=data_root,
        data_prefix='train',
        metainfo=metainfo,
        pipeline=pipeline,
    ),
)

val_dataloader = dict(
    batch_size=100,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type=dataset_type,
        data_root=data_root,
        data_prefix='val',
        metainfo=metainfo,
        pipeline=pipeline,
    ),
)
val_evaluator = dict(type='mmpretrain.Accuracy', topk=1)

test_dataloader = val_dataloader
test_evaluator = val_evaluator

# Digits are not flipped: they are seen in two sizes.
tta_model = dict(type='mmpretrain.AverageClsScoreTTA')
tta_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='TestTimeAug',
        transforms=[
            [dict(type='mmpretrain.Resize', scale=size) for size in (56, 64)],
            [dict(type='mmpretrain.PackInputs')],
        ],
    ),
]
