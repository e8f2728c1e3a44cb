# Detectors in 12 epochs, as mmdet has it for COCO: 8 GPUs with 2 images each,
# one scale of 1333x800.
_base_ = [
    'mmdet::_base_/datasets/coco_instance.py',
    '../datasets/{{$DATASET:coco}}.py',
    'mmdet::_base_/schedules/schedule_1x.py',
    'mmdet::_base_/default_runtime.py',
]

# What recipes give their heads: no masks where the data have boxes alone.
has_masks = _base_.get('has_masks', True)
head = dict(num_classes=_base_.num_classes)
mask_head = head if has_masks else None

train_pipeline, test_pipeline = (
    [
        dict(step, with_mask=has_masks)
        if step.type == 'LoadAnnotations'
        else step
        for step in pipeline
    ]
    for pipeline in (_base_.train_pipeline, _base_.test_pipeline)
)

# No longer the library's.
dataset_type = _base_.train_dataset.type
data_root = _base_.train_dataset.get('data_root')
train_dataloader = dict(
    dataset=dict(_base_.train_dataset, _delete_=True, pipeline=train_pipeline)
)
val_dataloader = dict(
    dataset=dict(_base_.val_dataset, _delete_=True, pipeline=test_pipeline)
)
test_dataloader = val_dataloader
val_evaluator = dict(
    ann_file=_base_.val_ann_file,
    metric=['bbox', 'segm'] if has_masks else ['bbox'],
)
test_evaluator = val_evaluator
