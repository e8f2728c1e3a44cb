# Swin-T from scratch in 300 epochs, without DRLoc.
#
# Train: python tools/train.py configs/scratch_300e/swin-tiny.py \
#            --dataset imagenet-100
# 8 GPUs: bash tools/dist_train.sh configs/scratch_300e/swin-tiny.py 8 \
#            --dataset imagenet-100
# Published: Table 3 of the paper, 7 and 8 of its supplement, by data set:
#     README.md.
# Note: Table 1 counts the 100,000 unlabelled test images of ImageNet-1K;
#     accuracies are those of the 50,000 validation images.
# Note: the paper's own baselines on ImageNet-1K, 81.2 and 80.7 (T2T-ViT-14),
#     are below the official 81.3 and 81.5; so is T2T-ViT-14 with DRLoc.
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/protocols/scratch_300e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
