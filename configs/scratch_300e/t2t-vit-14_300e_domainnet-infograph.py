# T2T-ViT-14 on DomainNet Infograph from scratch in 300 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-infograph
# Train: python tools/train.py \
#     configs/scratch_300e/t2t-vit-14_300e_domainnet-infograph.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_300e/t2t-vit-14_300e_domainnet-infograph.py 8
# Published: 12.62 % top-1 (supplement, Table 8).
# Note: section 5 of the paper takes the networks' settings from their authors,
#     who drop paths at a rate of 0.1 (main.py of T2T-ViT, cvt-13-224x224.yaml
#     of CvT), and so do we; the official code as it runs does not, and nor do
#     its variants in configs/official.
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-14.py',
    '../_base_/former_datasets/domainnet_infograph.py',
    '../_base_/schedules/scratch_300e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
