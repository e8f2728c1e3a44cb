# vit-light-narrow.py for handwritten digits of 56 pixels, as they are: 5
# epochs.
#
# Data: python tools/dataset_converters/digits.py
# Weights: python tools/train.py \
#     configs/mae/mae_vit-light-narrow_56px.py --dataset digits
# Train: python tools/train.py configs/mae/vit-light-narrow_56px.py \
#     --dataset digits \
#     --weights work_dirs/mae_vit-light-narrow_56px_digits
# Published: none.
# Measured: not measured.
_base_ = './vit-light-narrow.py'

model = dict(backbone=dict(img_size=56, patch_size=7))

load, resize, pack = _base_.test_pipeline
plain_pipeline = [load, dict(resize, scale=56), pack]
train_dataloader = dict(
    batch_size=32, drop_last=False, dataset=dict(pipeline=plain_pipeline)
)
val_dataloader = dict(batch_size=100, dataset=dict(pipeline=plain_pipeline))
test_dataloader = val_dataloader
train_cfg = dict(max_epochs=5, val_interval=1)
auto_scale_lr = dict(base_batch_size=32)
