# UperNet with ResNet-50, trained as with Swin-T: from torchvision's weights,
# or from those that --weights names. (mmseg's own has another stem.)
#
# Train: python tools/train.py configs/ade20k/upernet_resnet-50_160k.py \
#            --dataset ade20k --weights work_dirs/resnet-50_drloc_imagenet-100
# 8 GPUs: bash tools/dist_train.sh \
#            configs/ade20k/upernet_resnet-50_160k.py 8 \
#            --dataset ade20k --weights work_dirs/resnet-50_drloc_imagenet-100
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/upernet_resnet-50.py',
    '../_base_/protocols/ade20k_160k.py',
]

model = dict(
    data_preprocessor=dict(size=_base_.crop_size),
    decode_head=_base_.head,
    auxiliary_head=_base_.head,
)
