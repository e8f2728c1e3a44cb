# What IDMM's data sets have in common: 4 GPUs with 64 images each, 256 an
# update. A leaf config adds the pipelines, from ../views.
data_preprocessor = dict(
    num_classes=1000,
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
)
val_dataloader = dict(
    batch_size=64,
    num_workers=8,
    persistent_workers=True,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=False),
)
val_evaluator = dict(type='mmpretrain.Accuracy', topk=(1, 5))
test_dataloader = val_dataloader
test_evaluator = val_evaluator
