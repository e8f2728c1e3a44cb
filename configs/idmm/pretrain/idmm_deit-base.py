# idmm_deit-tiny.py with DeiT-Base.
#
# Train: python tools/train.py configs/idmm/pretrain/idmm_deit-base.py \
#     --dataset flowers102
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/pretrain/idmm_deit-base.py 4 --dataset flowers102
# Published: none for the pre-training itself.
# Measured: not measured.
_base_ = './idmm_deit-tiny.py'

model = dict(backbone=dict(arch='deit-base'), head=dict(in_channels=768))
