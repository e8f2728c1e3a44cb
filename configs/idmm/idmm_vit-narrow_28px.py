# IDMM of a narrow ViT on handwritten digits, crops of 28 pixels: 80 epochs on
# two cores.
#
# Data: python tools/dataset_converters/digits.py
# Train: python tools/train.py configs/idmm/idmm_vit-narrow_28px.py \
#     --dataset digits-300
# Published: none, our own demo data.
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-narrow.py',
    '../_base_/protocols/idmm_pretrain_two-cores.py',
]

model = dict(
    _base_.method,
    backbone=dict(_base_.model.backbone, img_size=28),
    head=dict(_base_.model.head, num_classes=_base_.num_train),
    init_cfg=_base_.model.init_cfg,
    _delete_=True,
)
