# Fine-tuning: AdamW with 5e-4 at 1,024 images an iteration, 10 epochs of
# linear warm-up, then a cosine: 100 epochs.
optim_wrapper = dict(
    optimizer=dict(
        type='AdamW', lr=5e-4, weight_decay=0.05, eps=1e-8, betas=(0.9, 0.999)
    ),
    paramwise_cfg=dict(
        norm_decay_mult=0.0,
        bias_decay_mult=0.0,
        flat_decay_mult=0.0,
        custom_keys={
            '.absolute_pos_embed': dict(decay_mult=0.0),
            '.relative_position_bias_table': dict(decay_mult=0.0),
            '.cls_token': dict(decay_mult=0.0),
            '.pos_embed': dict(decay_mult=0.0),
        },
    ),
    clip_grad=dict(max_norm=5.0),
)

param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=10, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', eta_min=1e-5, begin=10),
]

train_cfg = dict(by_epoch=True, max_epochs=100, val_interval=1)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=1024)
