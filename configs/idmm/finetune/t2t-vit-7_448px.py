# T2T-ViT-7 on from 224 to 448 pixels, network and classifier. A quarter of the
# images an update, as the official script has it.
# Train: mmdrloc train idmm/finetune/t2t-vit-7_448px \
#      --weights work_dirs/t2t-vit-7_800e_flowers102
_base_ = [
    '../../_base_/models/t2t-vit-7.py',
    '../../_base_/datasets/flowers102_bs32_448.py',
    '../../_base_/schedules/idmm_800e.py',
    '../../_base_/default_runtime.py',
]

# What comes from 224 pixels, by --weights: backbone and head.
model = dict(
    backbone=dict(
        img_size=448,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    head=dict(
        num_classes=102,
        init_cfg=dict(_delete_=True, type='Pretrained', prefix='head.'),
    ),
)

train_dataloader = dict(batch_size=8)
optim_wrapper = dict(optimizer=dict(lr=1.25e-5))
train_cfg = dict(max_epochs=100)
auto_scale_lr = dict(base_batch_size=32)
default_hooks = dict(checkpoint=dict(interval=10))
