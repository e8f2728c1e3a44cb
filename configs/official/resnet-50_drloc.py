# resnet-50.py with DRLoc on its last map, 7x7, as the official code runs it;
# nothing else differs.
#
# Train: python tools/train.py configs/official/resnet-50_drloc.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/official/resnet-50_drloc.py 8 \
#            --dataset cifar10
# Published: none; the published recipe is
#     configs/scratch_100e/resnet-50_drloc.py.
# Note: its lambda is the program's default; the paper names none.
# Measured: not measured.
_base_ = ['./resnet-50.py', '../_base_/drloc_official.py']

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        _base_.official_head,
        source='layer4',
        in_channels=2048,
        init_cfg=None,
        loss=dict(_base_.official_loss, loss_weight=0.5),
    ),
)
