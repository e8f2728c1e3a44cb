# t2t-vit-14.py with DRLoc on the normalised 14x14 grid, pooled to 7x7, as the
# paper has it; nothing else differs.
#
# Needs: https://github.com/yitu-opensource/T2T-ViT/releases/download/main/
#            81.5_T2T_ViT_14.pth.tar
# Train: python tools/train.py configs/finetune_100e/t2t-vit-14_drloc.py \
#            --dataset cifar10 \
#            --weights 81.5_T2T_ViT_14.pth.tar
# 8 GPUs: bash tools/dist_train.sh \
#            configs/finetune_100e/t2t-vit-14_drloc.py 8 \
#            --dataset cifar10 \
#            --weights 81.5_T2T_ViT_14.pth.tar
# Published: Table 5 of the paper, by data set: README.md.
# Note: section 5 of the paper takes the networks' settings from their authors,
#     who drop paths at a rate of 0.1 (main.py of T2T-ViT, cvt-13-224x224.yaml
#     of CvT), and so do we; the official code as it runs does not, and nor do
#     its variants in configs/official.
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
