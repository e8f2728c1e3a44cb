# t2t-vit-14.py with DRLoc on the normalised 14x14 grid, pooled to 7x7, as the
# paper has it; nothing else differs.
#
# Train: python tools/train.py configs/scratch_300e/t2t-vit-14_drloc.py \
#            --dataset imagenet-100
# 8 GPUs: bash tools/dist_train.sh configs/scratch_300e/t2t-vit-14_drloc.py 8 \
#            --dataset imagenet-100
# Published: Table 3 of the paper and 8 of its supplement, by data set:
#     README.md.
# Note: section 5 of the paper takes the networks' settings from their authors,
#     who drop paths at a rate of 0.1 (main.py of T2T-ViT, cvt-13-224x224.yaml
#     of CvT), and so do we; the official code as it runs does not, and nor do
#     its variants in configs/official.
# Note: Table 3 gives the same number of parameters with and without DRLoc; its
#     MLP adds 1,050,626 to Swin-T and 657,410 to CvT-13 and T2T-ViT-14.
# Measured: not measured.
_base_ = './t2t-vit-14.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='norm',
        in_channels=384,
        pool='avg2x2',
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
