# deit-tiny.py in 200 epochs, as the official scripts fine-tune.
# Train: python tools/train.py configs/idmm/finetune/deit-tiny_200e.py \
#      --weights work_dirs/idmm_deit-tiny_flowers102
_base_ = [
    '../../_base_/models/deit-tiny.py',
    '../../_base_/datasets/flowers102_bs64_224.py',
    '../../_base_/schedules/idmm_deit_800e.py',
    '../../_base_/default_runtime.py',
]

model = dict(backbone=dict(drop_path_rate=0.1), head=dict(num_classes=102))
train_cfg = dict(max_epochs=200)
default_hooks = dict(checkpoint=dict(interval=10))
