# ADE20K as mmseg has it: crops of 512 px, 8 GPUs with 2 images each. For the
# path see default_runtime_mmseg.py.
_base_ = (
    __import__('importlib.util')
    .util.find_spec('mmseg')
    .submodule_search_locations[0]
    + '/.mim/configs/_base_/datasets/ade20k.py'
)
dataset_name = 'ade20k'

train_dataloader = dict(batch_size=2)
