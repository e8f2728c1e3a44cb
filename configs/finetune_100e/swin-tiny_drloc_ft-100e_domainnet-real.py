# Swin-T on DomainNet Real from ImageNet-1K weights in 100 epochs: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-real
# Needs: https://github.com/SwinTransformer/storage/releases/download/v1.0.0/
#            swin_tiny_patch4_window7_224.pth
#        python tools/transfer.py swin_tiny_patch4_window7_224.pth \
#            checkpoints/swin-tiny_in1k.pth
# Train: python tools/train.py \
#     configs/finetune_100e/swin-tiny_drloc_ft-100e_domainnet-real.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/finetune_100e/swin-tiny_drloc_ft-100e_domainnet-real.py 8
# Published: 85.61 % top-1 (+0.13; main paper, Table 5).
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny_drloc.py',
    '../_base_/former_datasets/domainnet_real.py',
    '../_base_/schedules/finetune_100e.py',
    '../_base_/cls_runtime.py',
]

authors_file = 'swin_tiny_patch4_window7_224.pth'
checkpoint = 'checkpoints/swin-tiny_in1k.pth'
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
