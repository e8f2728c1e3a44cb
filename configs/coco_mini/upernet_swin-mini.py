# UperNet at a size that two processor cores manage, on label maps of the
# people on photos: from random weights, or from those that --weights names.
#
# Data:  for split in train val; do
#            python tools/dataset_converters/coco_to_label_maps.py \
#                data/coco_mini/annotations/instances_$split.json \
#                data/coco_mini/$split data/coco_mini/people/$split \
#                --categories person
#        done
# Train: python tools/train.py configs/coco_mini/upernet_swin-mini.py \
#            --dataset coco_mini_seg
#        python tools/train.py configs/coco_mini/upernet_swin-mini.py \
#            --dataset coco_mini_seg \
#            --weights work_dirs/swin-mini_drloc_cifar10_photos
# Published: none.
# Measured: mIoU 48.8, IoU of people 14.8 (500 updates, seed 0). With --weights
#     work_dirs/swin-mini_drloc_cifar10_photos: mIoU 48.1, IoU of people 14.5.
_base_ = [
    '../_base_/models/upernet_swin-mini.py',
    '../_base_/protocols/coco_mini_500it.py',
]

model = dict(
    data_preprocessor=_base_.batch,
    decode_head=_base_.head,
    auxiliary_head=_base_.head,
)
