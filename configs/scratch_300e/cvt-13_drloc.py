# cvt-13.py with DRLoc on the 14x14 grid of the last stage, pooled to 7x7.
# Train: python tools/train.py configs/scratch_300e/cvt-13_drloc.py \
#      --dataset imagenet-100
# Published: 90.28 top-1 on ImageNet-100, 30.31 top-1 on DomainNet Infograph
_base_ = './cvt-13.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.2',
        in_channels=384,
        pool='avg2x2',
        init_cfg=None,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
