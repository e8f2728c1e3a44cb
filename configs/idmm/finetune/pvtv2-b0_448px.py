# PVTv2-B0 on from 224 to 448 pixels, network and classifier.
# Train: mmdrloc train idmm/finetune/pvtv2-b0_448px \
#      --weights work_dirs/pvtv2-b0_800e_flowers102
_base_ = [
    '../../_base_/models/pvtv2-b0.py',
    '../../_base_/datasets/flowers102_bs32_448.py',
    '../../_base_/schedules/idmm_800e.py',
    '../../_base_/default_runtime.py',
]

# What comes from 224 pixels, by --weights: backbone and head.
model = dict(
    backbone=dict(
        drop_path_rate=0.1,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    head=dict(
        num_classes=102,
        init_cfg=dict(_delete_=True, type='Pretrained', prefix='head.'),
    ),
)

optim_wrapper = dict(optimizer=dict(lr=5e-5))
train_cfg = dict(max_epochs=100)
auto_scale_lr = dict(base_batch_size=128)
default_hooks = dict(checkpoint=dict(interval=10))
