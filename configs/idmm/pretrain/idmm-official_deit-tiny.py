# idmm_deit-tiny.py without label smoothing, as in the official script.
#
# Train: python tools/train.py \
#     configs/idmm/pretrain/idmm-official_deit-tiny.py --dataset flowers102
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/pretrain/idmm-official_deit-tiny.py 4 --dataset flowers102
# Published: none for the pre-training itself.
# Measured: not measured.
_base_ = './idmm_deit-tiny.py'

model = dict(
    head=dict(
        loss=dict(
            type='mmpretrain.CrossEntropyLoss', use_soft=True, _delete_=True
        )
    )
)
