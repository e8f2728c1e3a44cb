# UperNet with T2T-ViT-7, a plain transformer, from the weights that --weights
# names.
#
# Train: python tools/train.py configs/ade20k/upernet_t2t-vit-7_160k.py \
#            --dataset ade20k --weights work_dirs/idmm_t2t-vit-7_sin-10k
# 8 GPUs: bash tools/dist_train.sh \
#            configs/ade20k/upernet_t2t-vit-7_160k.py 8 \
#            --dataset ade20k --weights work_dirs/idmm_t2t-vit-7_sin-10k
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/upernet_plain.py',
    '../_base_/models/t2t-vit-7_dense.py',
    '../_base_/protocols/ade20k_160k-plain.py',
]

model = dict(
    data_preprocessor=dict(size=_base_.crop_size),
    backbone=dict(_delete_=True, **_base_.network),
    neck=_base_.pyramid,
    decode_head=dict(in_channels=_base_.maps, **_base_.head),
    auxiliary_head=dict(in_channels=_base_.maps[2], **_base_.head),
)
