# upernet_pvtv2-b0_160k_ade20k.py from IDMM's weights; nothing else differs.
#
# Data:  ADE20K in mmseg's layout, data/ade/ADEChallengeData2016
# Needs: python tools/train.py \
#     configs/idmm_pretrain/idmm_pvtv2-b0_800e_sin-10k.py
# Then:  python tools/transfer.py \
#     work_dirs/idmm_pvtv2-b0_800e_sin-10k/epoch_800.pth \
#     work_dirs/idmm_pvtv2-b0_800e_sin-10k/features.pth --to pvtv2-features
# Train: bash tools/dist_train.sh \
#     configs/idmm/upernet_pvtv2-b0_idmm-sin-10k_160k_ade20k.py 8
# Published: none.
# Measured: not measured.
_base_ = './upernet_pvtv2-b0_160k_ade20k.py'

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
