# A narrow ViT at 56 pixels, fine-tuned as IDMM is: 40 epochs on two cores,
# from random weights or from those of a pre-training.
#
# Data: python tools/dataset_converters/digits.py
# Weights: python tools/train.py configs/idmm/idmm_vit-narrow_28px.py
# Train: python tools/train.py configs/idmm/vit-narrow_56px.py \
#      --weights work_dirs/idmm_vit-narrow_28px_digits-300
_base_ = [
    '../_base_/models/vit-narrow.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/default_runtime.py',
]

dataset_name = 'digits-300'
data_preprocessor = dict(
    num_classes=10,
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='RandomResizedCrop', scale=56, crop_ratio_range=(0.4, 1.0)),
    dict(type='PackInputs'),
]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='Resize', scale=56),
    dict(type='PackInputs'),
]
# Of the 11,176 drawings, sorted by class and digit, about every 37th.
train_dataloader = dict(
    batch_size=25,
    num_workers=0,
    persistent_workers=False,
    drop_last=True,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        type='CustomDataset',
        data_root='data/digits/classification',
        data_prefix='train',
        metainfo=dict(classes=[str(digit) for digit in range(10)]),
        indices=[11176 * number // 300 for number in range(300)],
        pipeline=train_pipeline,
    ),
)
val_dataloader = dict(
    batch_size=100,
    num_workers=0,
    persistent_workers=False,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type='CustomDataset',
        data_root='data/digits/classification',
        data_prefix='val',
        metainfo=dict(classes=[str(digit) for digit in range(10)]),
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(type='Accuracy', topk=1)
test_dataloader = val_dataloader
test_evaluator = val_evaluator

train_cfg = dict(max_epochs=40)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=25)
default_hooks = dict(checkpoint=dict(interval=10), logger=dict(interval=12))
# Mixup in even epochs, CutMix in odd ones.
custom_hooks = [
    dict(
        type='mmdrloc.AlternatingAugmentsHook',
        augments=[
            dict(type='mmpretrain.Mixup', alpha=0.5),
            dict(type='mmdrloc.FoldedCutMix', alpha=0.5),
        ],
    )
]
