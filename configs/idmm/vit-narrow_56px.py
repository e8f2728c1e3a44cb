# A narrow ViT at 56 pixels, fine-tuned as IDMM is: 40 epochs on two cores,
# from random weights or from those of a pre-training.
#
# Data: python tools/dataset_converters/digits.py
# Weights: python tools/train.py \
#     configs/idmm/idmm_vit-narrow_28px.py --dataset digits-300
# Train: python tools/train.py configs/idmm/vit-narrow_56px.py \
#     --dataset digits-300 --weights work_dirs/idmm_vit-narrow_28px_digits-300
# Published: none, our own demo data.
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-narrow.py',
    '../_base_/protocols/idmm_finetune_two-cores.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
train_cfg = dict(val_interval=10)
