# The data of IDMM's experiments, of any data set: 4 GPUs with 64 images each,
# 256 an update. A protocol adds what is done to the images.
_base_ = '../datasets/{{$DATASET:flowers102}}.py'

data_preprocessor = dict(
    num_classes=_base_.num_classes,
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)
train_dataloader = dict(
    batch_size=64,
    num_workers=8,
    persistent_workers=True,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=_base_.train_dataset,
)
val_dataloader = dict(
    batch_size=64,
    num_workers=8,
    persistent_workers=True,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=_base_.val_dataset,
)
val_evaluator = dict(type='mmpretrain.Accuracy', topk=(1, 5))
test_dataloader = val_dataloader
test_evaluator = val_evaluator
