# deit-tiny.py in 200 epochs, as the official scripts fine-tune.
#
# Weights: python tools/train.py \
#     configs/idmm/pretrain/idmm_deit-tiny.py --dataset flowers102
# Train: python tools/train.py configs/idmm/finetune/deit-tiny_200e.py \
#     --dataset flowers102 --weights work_dirs/idmm_deit-tiny_flowers102
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/finetune/deit-tiny_200e.py 4 --dataset flowers102 \
#     --weights work_dirs/idmm_deit-tiny_flowers102
# Published: IDMM's poster, "pre-training methods", by method and data set:
#     ../README.md.
# Measured: not measured.
_base_ = './deit-tiny.py'

train_cfg = dict(max_epochs=200)
