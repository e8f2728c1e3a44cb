# A narrow ViT on handwritten digits as a masked auto-encoder, 20 epochs.
#
# Data:  python tools/dataset_converters/digits.py
# Train: python tools/train.py \
#     configs/mae/mae_vit-light-narrow_20e_digits.py
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/mae_vit-light-narrow.py',
    '../_base_/former_datasets/digits_cls.py',
    '../_base_/schedules/mae_two-cores.py',
    '../_base_/cls_runtime.py',
]

model = dict(
    backbone=dict(img_size=56, patch_size=7),
    neck=dict(num_patches=(56 // 7) ** 2, patch_size=7),
    head=dict(patch_size=7),
)

optim_wrapper = dict(optimizer=dict(lr=1e-3))
train_cfg = dict(max_epochs=20, val_interval=5)
auto_scale_lr = dict(base_batch_size=32)

data_preprocessor = dict(type='mmpretrain.ClsDataPreprocessor')
val_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
test_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
custom_hooks = [dict(type='mmdrloc.ReconstructionHook')]
default_hooks = dict(checkpoint=dict(interval=5))
