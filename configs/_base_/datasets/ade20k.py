# ADE20K as mmseg has it: crops of 512 px, 8 GPUs with 2 images each.
_base_ = 'mmseg::_base_/datasets/ade20k.py'
dataset_name = 'ade20k'

train_dataloader = dict(batch_size=2)
