# T2T-ViT-14 as the official code trains it, without DRLoc.
# Train: python tools/train.py configs/official/t2t-vit-14.py
_base_ = [
    '../_base_/models/t2t-vit-14.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_101e_official.py',
    '../_base_/default_runtime.py',
]

model = dict(backbone=dict(drop_path_rate=0.0), head=dict(num_classes=10))
test_pipeline = _base_.large_test_pipeline
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
