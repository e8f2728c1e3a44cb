# IDMM's schedule for PVTv2 and T2T-ViT: AdamW with 1e-3 at 256 images an
# iteration, decay of every parameter, 10 epochs of warm-up, a cosine down to
# 0, 800 epochs. The start of the warm-up is ours.
optim_wrapper = dict(optimizer=dict(type='AdamW', lr=1e-3, weight_decay=1e-3))

param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=10, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', begin=10, convert_to_iter_based=True),
]

train_cfg = dict(by_epoch=True, max_epochs=800, val_interval=10)
auto_scale_lr = dict(base_batch_size=256)
