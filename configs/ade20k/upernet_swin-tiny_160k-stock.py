# UperNet with Swin-T, by mmseg's recipe.
#
# Needs: a training of configs/scratch_300e/swin-tiny{,_drloc}.py with
#            --dataset imagenet-1k or imagenet-100
# Train: python tools/train.py configs/ade20k/upernet_swin-tiny_160k-stock.py \
#            --dataset ade20k \
#            --weights work_dirs/swin-tiny_drloc_imagenet-1k
# 8 GPUs: bash tools/dist_train.sh \
#            configs/ade20k/upernet_swin-tiny_160k-stock.py 8 \
#            --dataset ade20k \
#            --weights work_dirs/swin-tiny_drloc_imagenet-1k
# Published: none; the published recipe is
#     configs/ade20k/upernet_swin-tiny_160k-paper.py.
# Measured: not measured.
_base_ = [
    '../_base_/models/upernet_swin.py',
    '../_base_/models/swin-tiny_dense.py',
    '../_base_/protocols/ade20k_160k.py',
]

model = dict(
    data_preprocessor=dict(size=_base_.crop_size),
    backbone=dict(_delete_=True, **_base_.swin_tiny, drop_path_rate=0.3),
    decode_head=dict(num_classes=_base_.num_classes),
    auxiliary_head=dict(num_classes=_base_.num_classes),
)
