# mae_vit-light.py at 32 pixels with patches of 4.
#
# Train: python tools/train.py configs/mae/mae_vit-light-32px-p4.py \
#     --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh \
#     configs/mae/mae_vit-light-32px-p4.py 8 --dataset cifar10
# Published: none.
# Measured: not measured.
_base_ = './mae_vit-light.py'

model = dict(
    backbone=dict(img_size=32, patch_size=4),
    neck=dict(num_patches=(32 // 4) ** 2, patch_size=4),
    head=dict(patch_size=4),
)

load, crop, flip, pack = _base_.plain_pipeline
plain_pipeline = [load, dict(crop, scale=32), flip, pack]
test_pipeline = [load, dict(_base_.test_pipeline[1], scale=32), pack]
train_dataloader = dict(dataset=dict(pipeline=plain_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
