# T2T-ViT-14 on ImageNet-1K as its authors train it, which the supplement
# takes over: the defaults of main.py and the README's command for 8 GPUs with
# 64 images each (github.com/yitu-opensource/T2T-ViT, 0f63dc9). 5e-4 at 512
# images an update, 10 epochs of warm-up over a cosine of 300, 10 more at
# 1e-5, no clipping, and the average of the weights is what is tested. Rates
# change between epochs.
#
# Not taken over: interpolation that is drawn from two, and test images
# resized to 248 pixels before they are cropped.
_base_ = './scratch_300e.py'

optim_wrapper = dict(optimizer=dict(lr=5e-4), clip_grad=None)

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
train_dataloader = dict(batch_size=64)
auto_scale_lr = dict(base_batch_size=512)

# A decay of 0.99996.
custom_hooks = [dict(type='EMAHook', momentum=4e-5)]
