# ImageNet-1K at 224 pixels as mmpretrain has it for Swin: 8 GPUs with 128
# images each. Any classification data by --dataset.
_base_ = 'mmpretrain::_base_/datasets/imagenet_bs64_swin_224.py'
dataset_name = 'imagenet-1k'

train_dataloader = dict(
    batch_size=128, num_workers=8, persistent_workers=True, drop_last=True
)
val_dataloader = dict(batch_size=128, num_workers=8, persistent_workers=True)
test_dataloader = val_dataloader
