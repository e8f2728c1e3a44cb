# Swin-T as the official code trains it, without DRLoc.
# Train: python tools/train.py configs/official/swin-tiny.py
_base_ = [
    'mmpretrain::_base_/models/swin_transformer/tiny_224.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_101e_official.py',
    '../_base_/default_runtime.py',
]

model = dict(head=dict(num_classes=10))
# Images of any size are cut to their centre.
test_pipeline = _base_.large_test_pipeline
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
