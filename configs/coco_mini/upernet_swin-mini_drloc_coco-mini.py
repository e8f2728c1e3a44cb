# UperNet that looks for people, from the backbone trained on CIFAR-10 with
# DRLoc.
#
# Needs: python tools/train.py \
#            configs/coco_mini/swin-mini_drloc_cifar10-photos.py
#        python tools/transfer.py \
#            work_dirs/swin-mini_drloc_cifar10-photos/epoch_1.pth \
#            work_dirs/swin-mini_drloc_cifar10-photos/backbone.pth
# Train: python tools/train.py \
#            configs/coco_mini/upernet_swin-mini_drloc_coco-mini.py
# Published: none.
# Measured: mIoU 48.1, IoU of people 14.5 (500 updates, seed 0).
_base_ = './upernet_swin-mini_coco-mini.py'

checkpoint = 'work_dirs/swin-mini_drloc_cifar10-photos/backbone.pth'
model = dict(
    backbone=dict(
        init_cfg=dict(
            _delete_=True,
            type='Pretrained',
            checkpoint=checkpoint,
            prefix='backbone.',
        )
    )
)
custom_hooks = [
    dict(
        type='mmdrloc.TransferCheckHook',
        expected_missing=['norm0.', 'norm1.', 'norm2.'],
        made_by='python tools/transfer.py '
        'work_dirs/swin-mini_drloc_cifar10-photos/epoch_1.pth ' + checkpoint,
    )
]
