# UperNet with the lightweight ViT of MAE, a plain transformer, from the
# weights that --weights names. Images enter at 0.3 of the usual size: its
# patches have 3 pixels.
#
# Train: python tools/train.py configs/ade20k/upernet_vit-light_160k.py \
#            --dataset ade20k --weights work_dirs/mae_vit-light_cifar10
# 8 GPUs: bash tools/dist_train.sh \
#            configs/ade20k/upernet_vit-light_160k.py 8 \
#            --dataset ade20k --weights work_dirs/mae_vit-light_cifar10
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/upernet_plain.py',
    '../_base_/models/vit-light_dense.py',
    '../_base_/protocols/ade20k_160k-light.py',
]

model = dict(
    data_preprocessor=dict(size=_base_.crop_size),
    backbone=dict(_delete_=True, **_base_.network),
    neck=_base_.pyramid,
    decode_head=dict(in_channels=_base_.maps, **_base_.head),
    auxiliary_head=dict(in_channels=_base_.maps[2], **_base_.head),
)
