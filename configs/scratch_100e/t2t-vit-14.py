# T2T-ViT-14 from scratch in 100 epochs, without DRLoc.
#
# Train: python tools/train.py configs/scratch_100e/t2t-vit-14.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/scratch_100e/t2t-vit-14.py 8 \
#            --dataset cifar10
# Published: Tables 2-4 of the paper, by data set: README.md.
# Note: section 5 of the paper takes the networks' settings from their authors,
#     who drop paths at a rate of 0.1 (main.py of T2T-ViT, cvt-13-224x224.yaml
#     of CvT), and so do we; the official code as it runs does not, and nor do
#     its variants in configs/official.
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-14.py',
    '../_base_/protocols/scratch_100e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
