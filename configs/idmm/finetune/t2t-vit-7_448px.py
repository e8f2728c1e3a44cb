# T2T-ViT-7 on from 224 to 448 pixels, network and classifier. A quarter of the
# images an update, as the official script has it.
#
# Weights: python tools/train.py \
#     configs/idmm/finetune/t2t-vit-7.py --dataset flowers102 \
#     --weights work_dirs/idmm_t2t-vit-7_flowers102
# Train: python tools/train.py configs/idmm/finetune/t2t-vit-7_448px.py \
#     --dataset flowers102 --weights work_dirs/t2t-vit-7_flowers102
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/finetune/t2t-vit-7_448px.py 4 --dataset flowers102 \
#     --weights work_dirs/t2t-vit-7_flowers102
# Published: IDMM's poster, "training from scratch" (800 epochs at 224 pixels,
#     then 100 at 448), by data set: ../README.md.
# Measured: not measured.
_base_ = [
    '../../_base_/models/t2t-vit-7.py',
    '../../_base_/protocols/idmm_finetune_448px.py',
]

model = dict(
    backbone=dict(_base_.carried.backbone, img_size=448),
    head=dict(_base_.carried.head, num_classes=_base_.num_classes),
    train_cfg=None,
)

train_dataloader = dict(batch_size=8)
optim_wrapper = dict(optimizer=dict(lr=1.25e-5))
auto_scale_lr = dict(base_batch_size=32)
