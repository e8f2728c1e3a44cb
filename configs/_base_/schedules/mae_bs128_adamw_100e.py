# Fine-tuning after masked auto-encoding, all of it ours (docs/mae.md): 1e-3
# for 256 images an iteration, halved for 128; 5 epochs of warm-up, then a
# cosine. Layers learn at the same rate: from random weights a rate that decays
# towards the input would hardly train the first ones.
optim_wrapper = dict(
    optimizer=dict(
        type='AdamW', lr=5e-4, betas=(0.9, 0.999), weight_decay=0.05
    ),
    paramwise_cfg=dict(
        norm_decay_mult=0.0,
        bias_decay_mult=0.0,
        custom_keys={
            '.cls_token': dict(decay_mult=0.0),
            '.pos_embed': dict(decay_mult=0.0),
        },
    ),
)

param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=5, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', begin=5, convert_to_iter_based=True),
]

train_cfg = dict(by_epoch=True, max_epochs=100, val_interval=1)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=128)
