# t2t-vit-7.py in 200 epochs, as the official scripts fine-tune: from weights
# alone.
#
# Weights: python tools/train.py configs/idmm/pretrain/idmm_t2t-vit-7.py \
#      --dataset sin-10k
# Train: python tools/train.py configs/idmm/finetune/t2t-vit-7_200e.py \
#      --weights work_dirs/idmm_t2t-vit-7_sin-10k
# Published: IDMM's poster, "transfer" and "training from scratch", by weights
#     and data set: ../README.md.
_base_ = './t2t-vit-7.py'

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.'))
)
train_cfg = dict(max_epochs=200)
