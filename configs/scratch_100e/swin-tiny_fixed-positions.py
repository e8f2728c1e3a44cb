# Swin-T with relative positions frozen at random (deviation 0.02), which still
# tell offsets apart: not quite the Swin without them of main paper, section
# 4.1. Nothing is published of it.
# Train: python tools/train.py \
#      configs/scratch_100e/swin-tiny_fixed-positions.py
_base_ = [
    'mmpretrain::_base_/models/swin_transformer/tiny_224.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]

model = dict(head=dict(num_classes=10))
optim_wrapper = dict(
    paramwise_cfg=dict(
        custom_keys={
            '.relative_position_bias_table': dict(lr_mult=0.0, decay_mult=0.0)
        }
    )
)
