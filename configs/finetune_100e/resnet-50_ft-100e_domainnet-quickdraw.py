# ResNet-50 on DomainNet QuickDraw from ImageNet-1K weights in 100 epochs:
# baseline.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-quickdraw
# Needs: https://download.pytorch.org/models/
#            resnet50-0676ba61.pth
#        python tools/transfer.py resnet50-0676ba61.pth \
#            checkpoints/resnet-50_in1k.pth
# Train: python tools/train.py \
#     configs/finetune_100e/resnet-50_ft-100e_domainnet-quickdraw.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/finetune_100e/resnet-50_ft-100e_domainnet-quickdraw.py 8
# Published: 72.12 % top-1 (main paper, Table 5).
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-50.py',
    '../_base_/former_datasets/domainnet_quickdraw.py',
    '../_base_/schedules/finetune_100e.py',
    '../_base_/cls_runtime.py',
]

authors_file = 'resnet50-0676ba61.pth'
checkpoint = 'checkpoints/resnet-50_in1k.pth'
model = dict(
    backbone=dict(
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint, prefix='backbone.'
        )
    ),
    head=dict(num_classes=345),
)
custom_hooks = [
    dict(
        type='mmdrloc.TransferCheckHook',
        made_by=f'python tools/transfer.py {authors_file} {checkpoint}',
    )
]
