# mask-rcnn_pvtv2-b0_1x_coco.py from IDMM's weights; nothing else differs.
#
# Data:  COCO 2017 in mmdet's layout, data/coco
# Needs: python tools/train.py \
#     configs/idmm_pretrain/idmm_pvtv2-b0_800e_sin-10k.py
# Then:  python tools/transfer.py \
#     work_dirs/idmm_pvtv2-b0_800e_sin-10k/epoch_800.pth \
#     work_dirs/idmm_pvtv2-b0_800e_sin-10k/features.pth --to pvtv2-features
# Train: bash tools/dist_train.sh \
#     configs/idmm/mask-rcnn_pvtv2-b0_idmm-sin-10k_1x_coco.py 8
# Published: none.
# Measured: not measured.
_base_ = './mask-rcnn_pvtv2-b0_1x_coco.py'

checkpoint_file = 'work_dirs/idmm_pvtv2-b0_800e_sin-10k/features.pth'
model = dict(
    backbone=dict(
        init_cfg=dict(
            type='Pretrained', checkpoint=checkpoint_file, prefix='backbone.'
        )
    )
)
custom_hooks = [
    dict(
        type='mmdrloc.TransferCheckHook',
        made_by='python tools/transfer.py '
        'work_dirs/idmm_pvtv2-b0_800e_sin-10k/epoch_800.pth '
        f'{checkpoint_file} --to pvtv2-features',
    )
]
