# As the official code runs by default: the first 101 epochs of a schedule of
# 300, on a cosine that starts at epoch 0, behind the warm-up. Class tokens
# and position embeddings are decayed.
_base_ = 'mmpretrain::_base_/schedules/imagenet_bs1024_adamw_swin.py'

optim_wrapper = dict(optimizer=dict(lr=1e-3), clip_grad=dict(max_norm=5.0))

# 1e-6 to 1e-3, at the end of the 300 epochs 1e-5.
param_scheduler = [
    dict(
        type='mmdrloc.WarmupOverCosineLR',
        warmup=20,
        total=300,
        start_factor=1e-3,
        end_factor=1e-2,
        convert_to_iter_based=True,
    )
]

train_cfg = dict(max_epochs=101)
