# T2T-ViT-14 in 310 epochs by its authors' recipe, the supplement's for
# ImageNet-1K; without DRLoc.
# Train: mmdrloc train scratch_310e/t2t-vit-14_310e
_base_ = [
    '../_base_/models/t2t-vit-14.py',
    '../_base_/datasets/imagenet_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]

# The defaults of main.py and the README's command for 8 GPUs with 64 images
# each (github.com/yitu-opensource/T2T-ViT, 0f63dc9). Not taken over: mixed
# precision (`--amp`), interpolation that is drawn from two, and test images
# resized to 248 pixels before they are cropped.
train_dataloader = dict(batch_size=64)
auto_scale_lr = dict(base_batch_size=512)
optim_wrapper = dict(optimizer=dict(lr=5e-4), clip_grad=None)

# 10 epochs of warm-up over a cosine of 300, 10 more at 1e-5; rates change
# between epochs.
param_scheduler = [
    dict(
        type='mmdrloc.WarmupOverCosineLR',
        warmup=10,
        total=300,
        start_factor=2e-3,
        end_factor=2e-2,
    )
]
train_cfg = dict(max_epochs=310)

# The average of the weights is what is tested; a decay of 0.99996.
custom_hooks = [dict(type='EMAHook', momentum=4e-5)]
