# mmpretrain's schedule of Swin in 100 epochs: AdamW with 1e-3 at 1,024 images
# an iteration, 20 epochs of linear warm-up, then a cosine. Gradients are
# clipped, and class token and positions do not decay. The rate ends at a
# hundredth, 1e-5, also where it is scaled to another batch.
_base_ = 'mmpretrain::_base_/schedules/imagenet_bs1024_adamw_swin.py'
optim_wrapper = dict(
    paramwise_cfg=dict(
        custom_keys={
            '.cls_token': dict(decay_mult=0.0),
            '.pos_embed': dict(decay_mult=0.0),
        }
    ),
    clip_grad=dict(max_norm=5.0),
)
param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=20, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', eta_min_ratio=1e-2, begin=20),
]
train_cfg = dict(max_epochs=100)
