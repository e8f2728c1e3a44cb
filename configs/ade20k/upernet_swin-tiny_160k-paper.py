# UperNet with Swin-T, by the paper's recipe: drop path 0.2, and tests at six
# sizes (--tta) without flips, of which the paper says nothing.
# upernet_swin-tiny_160k-stock.py flips the images as well.
#
# Needs: a training of configs/scratch_300e/swin-tiny{,_drloc}.py with
#            --dataset imagenet-1k or imagenet-100
# Train: python tools/train.py configs/ade20k/upernet_swin-tiny_160k-paper.py \
#            --dataset ade20k \
#            --weights work_dirs/swin-tiny_drloc_imagenet-1k
# 8 GPUs: bash tools/dist_train.sh \
#            configs/ade20k/upernet_swin-tiny_160k-paper.py 8 \
#            --dataset ade20k \
#            --weights work_dirs/swin-tiny_drloc_imagenet-1k
# Test:  bash tools/dist_test.sh \
#            configs/ade20k/upernet_swin-tiny_160k-paper.py \
#            CHECKPOINT 8 --dataset ade20k --tta
# Published: Tables 12 and 13 of the supplement, by weights: README.md.
# Note: tested at six sizes, and yet the printed baseline is below what Swin's
#     authors have at one.
# Measured: not measured.
_base_ = './upernet_swin-tiny_160k-stock.py'

model = dict(backbone=dict(drop_path_rate=0.2))

sizes, flips, *rest = _base_.tta_pipeline[1].transforms
tta_pipeline = [
    _base_.tta_pipeline[0],
    dict(type='TestTimeAug', transforms=[sizes, flips[:1], *rest]),
]
del sizes, flips, rest
