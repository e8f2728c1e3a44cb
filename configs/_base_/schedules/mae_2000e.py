# Masked auto-encoding; all of it ours (docs/mae.md): 1.5e-4 for 256 images an
# update, times 16 for 4,096; 200 epochs of warm-up, then a cosine.
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
