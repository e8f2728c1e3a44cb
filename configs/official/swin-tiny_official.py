# Swin-T as the official code trains it, without DRLoc.
# Train: mmdrloc train official/swin-tiny_official
_base_ = [
    'mmpretrain::_base_/models/swin_transformer/tiny_224.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    'mmpretrain::_base_/schedules/imagenet_bs1024_adamw_swin.py',
    '../_base_/default_runtime.py',
]
model = dict(head=dict(num_classes=10))
# Images of any size are cut to their centre.
test_pipeline = _base_.large_test_pipeline
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader

# The first 101 epochs of a schedule of 300: a cosine that starts at epoch 0,
# behind the warm-up, from 1e-6 over 1e-3 to 1e-5 at the end of the 300.
optim_wrapper = dict(optimizer=dict(lr=1e-3), clip_grad=dict(max_norm=5.0))
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
