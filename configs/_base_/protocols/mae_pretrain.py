# Masked auto-encoding at 36 pixels; all of it ours (docs/mae.md): 1.5e-4 for
# 256 images an update, times 16 for 4,096 (8 GPUs with 512 each); 200 epochs
# of warm-up, then a cosine.
_base_ = ['../views/light_36px.py', '../cls_runtime.py']

train_dataloader = dict(
    batch_size=512, dataset=dict(pipeline=_base_.plain_pipeline)
)

optim_wrapper = dict(
    optimizer=dict(
        type='AdamW', lr=2.4e-3, betas=(0.9, 0.95), weight_decay=0.05
    ),
    paramwise_cfg=dict(
        norm_decay_mult=0.0,
        bias_decay_mult=0.0,
        custom_keys={
            'cls_token': dict(decay_mult=0.0),
            'mask_token': dict(decay_mult=0.0),
            'pos_embed': dict(decay_mult=0.0),
        },
    ),
)

param_scheduler = [
    dict(
        type='LinearLR',
        start_factor=1e-3,
        by_epoch=True,
        end=200,
        convert_to_iter_based=True,
    ),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        begin=200,
        convert_to_iter_based=True,
    ),
]

train_cfg = dict(by_epoch=True, max_epochs=2000, val_interval=50)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=4096)

data_preprocessor = dict(type='mmpretrain.ClsDataPreprocessor')
val_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
test_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
custom_hooks = [dict(type='mmdrloc.ReconstructionHook')]
default_hooks = dict(checkpoint=dict(interval=50))
