# Segmentors in 160,000 updates, as mmseg trains those with Swin on ADE20K: 8
# GPUs with 2 images each, AdamW, 1,500 updates of warm-up. The paths are
# written out because MMEngine does not find `mmseg::` under the maintained
# distribution's name.
_base_ = [
    *(
        __import__('importlib.util')
        .util.find_spec('mmseg')
        .submodule_search_locations[0]
        + f'/.mim/configs/_base_/{part}.py'
        for part in (
            'datasets/ade20k',
            'default_runtime',
            'schedules/schedule_160k',
        )
    ),
    '../datasets/{{$DATASET:ade20k}}.py',
]

# What recipes give their heads.
head = dict(num_classes=_base_.num_classes)

train_pipeline, test_pipeline = (
    [
        dict(step, reduce_zero_label=_base_.reduce_zero_label)
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
    batch_size=2,
    dataset=dict(_base_.train_dataset, _delete_=True, pipeline=train_pipeline),
)
val_dataloader = dict(
    dataset=dict(_base_.val_dataset, _delete_=True, pipeline=test_pipeline)
)
test_dataloader = val_dataloader

optim_wrapper = dict(
    _delete_=True,
    type='OptimWrapper',
    optimizer=dict(
        type='AdamW', lr=6e-5, betas=(0.9, 0.999), weight_decay=0.01
    ),
    paramwise_cfg=dict(
        custom_keys={
            'absolute_pos_embed': dict(decay_mult=0.0),
            'relative_position_bias_table': dict(decay_mult=0.0),
            'norm': dict(decay_mult=0.0),
        }
    ),
)
param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-6, by_epoch=False, begin=0, end=1500
    ),
    dict(
        type='PolyLR',
        eta_min=0.0,
        power=1.0,
        begin=1500,
        end=160000,
        by_epoch=False,
    ),
]
