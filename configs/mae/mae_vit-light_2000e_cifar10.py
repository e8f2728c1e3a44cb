# Lightweight ViT on CIFAR-10 as a masked auto-encoder, 2000 epochs.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Train: python tools/train.py \
#     configs/mae/mae_vit-light_2000e_cifar10.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/mae/mae_vit-light_2000e_cifar10.py 8
# Published: none for the pre-training itself.
# Measured: not measured.
_base_ = [
    '../_base_/models/mae_vit-light.py',
    '../_base_/former_datasets/cifar10_36px.py',
    '../_base_/schedules/mae_2000e.py',
    '../_base_/cls_runtime.py',
]

# Cropping and flipping alone; 8 GPUs with 512 images each: 4,096 an update.
train_dataloader = dict(
    batch_size=512,
    dataset=dict(
        pipeline=[*_base_.train_pipeline[:3], _base_.train_pipeline[-1]]
    ),
)

data_preprocessor = dict(type='mmpretrain.ClsDataPreprocessor')
val_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
test_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
custom_hooks = [dict(type='mmdrloc.ReconstructionHook')]
default_hooks = dict(checkpoint=dict(interval=50))
