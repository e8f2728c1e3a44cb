# CvT-13 from scratch in 300 epochs, without DRLoc.
#
# Train: python tools/train.py configs/scratch_300e/cvt-13.py \
#            --dataset imagenet-100
# 8 GPUs: bash tools/dist_train.sh configs/scratch_300e/cvt-13.py 8 \
#            --dataset imagenet-100
# Published: Table 3 of the paper and 8 of its supplement, by data set:
#     README.md.
# Note: section 5 of the paper takes the networks' settings from their authors,
#     who drop paths at a rate of 0.1 (main.py of T2T-ViT, cvt-13-224x224.yaml
#     of CvT), and so do we; the official code as it runs does not, and nor do
#     its variants in configs/official.
# Measured: not measured.
_base_ = [
    '../_base_/models/cvt-13.py',
    '../_base_/protocols/scratch_300e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
