# IDMM of DeiT-Base in 800 epochs.
#
# Train: python tools/train.py configs/idmm/pretrain/idmm_deit-base.py \
#     --dataset flowers102
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/pretrain/idmm_deit-base.py 4 --dataset flowers102
# Published: none for the pre-training itself.
# Measured: not measured.
_base_ = [
    '../../_base_/models/deit-base.py',
    '../../_base_/protocols/idmm_pretrain.py',
    '../../_base_/schedules/idmm_deit_800e.py',
]

model = dict(
    _base_.method,
    backbone=dict(_base_.model.backbone, img_size=112, drop_path_rate=0.1),
    head=dict(_base_.model.head, num_classes=_base_.num_train),
    init_cfg=_base_.model.init_cfg,
    _delete_=True,
)
