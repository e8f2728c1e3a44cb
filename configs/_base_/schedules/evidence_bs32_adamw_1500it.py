# Minutes on one core, to tell methods apart: 1,500 iterations. Of 2.5e-4,
# 5e-4, 1e-3 and 2e-3 the best rate for the ViT without DRLoc, on held-out
# photos (configs/evidence/README.md).
optim_wrapper = dict(
    optimizer=dict(type='AdamW', lr=5e-4, weight_decay=0.05),
    clip_grad=dict(max_norm=5.0),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.005, by_epoch=False, end=200),
    # As long as the training.
    dict(type='CosineAnnealingLR', by_epoch=False, begin=200),
]

train_cfg = dict(type='IterBasedTrainLoop', max_iters=1500, val_interval=750)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=32)
log_processor = dict(by_epoch=False)
