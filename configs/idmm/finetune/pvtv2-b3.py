# PVTv2-B3 at 224 pixels in 800 epochs, as IDMM fine-tunes: from random
# weights, or from those of a pre-training.
#
# Weights: python tools/train.py configs/idmm/pretrain/idmm_pvtv2-b3.py
# Train: python tools/train.py configs/idmm/finetune/pvtv2-b3.py \
#      --weights work_dirs/idmm_pvtv2-b3_flowers102
# Published: 90.5 on Flowers102 from random weights, 95.9 on Flowers102 from
#     IDMM, 83.4 on Oxford-IIIT Pets from random weights; all: README.md
_base_ = [
    '../../_base_/models/pvtv2-b3.py',
    '../../_base_/datasets/flowers102_bs64_224.py',
    '../../_base_/schedules/idmm_800e.py',
    '../../_base_/default_runtime.py',
]

model = dict(
    backbone=dict(drop_path_rate=0.1),
    head=dict(num_classes=102),
)
default_hooks = dict(checkpoint=dict(interval=10))
