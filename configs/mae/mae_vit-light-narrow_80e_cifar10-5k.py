# A narrow ViT on 5,000 CIFAR-10 images as a masked auto-encoder, 80 epochs.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py \
#     configs/mae/mae_vit-light-narrow_80e_cifar10-5k.py
# Published: none.
# Measured: reconstruction loss 0.369 after 6,240 updates (seed 0).
_base_ = [
    '../_base_/models/mae_vit-light-narrow.py',
    '../_base_/former_datasets/cifar10_5k.py',
    '../_base_/schedules/mae_two-cores.py',
    '../_base_/cls_runtime.py',
]

model = dict(
    backbone=dict(img_size=32, patch_size=4),
    neck=dict(num_patches=(32 // 4) ** 2, patch_size=4),
    head=dict(patch_size=4),
)

# A tenth of the test images, drawn once: held out, and of all classes.
val_dataloader = dict(
    dataset=dict(
        _delete_=True,
        type='mmpretrain.KFoldDataset',
        num_splits=10,
        fold=0,
        test_mode=True,
        seed=0,
        dataset=_base_.val_dataloader.dataset,
    )
)
test_dataloader = val_dataloader

optim_wrapper = dict(optimizer=dict(lr=1.5e-3))
train_cfg = dict(max_epochs=80, val_interval=10)
auto_scale_lr = dict(base_batch_size=64)

data_preprocessor = dict(type='mmpretrain.ClsDataPreprocessor')
val_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
test_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
custom_hooks = [dict(type='mmdrloc.ReconstructionHook')]
default_hooks = dict(checkpoint=dict(interval=10))
