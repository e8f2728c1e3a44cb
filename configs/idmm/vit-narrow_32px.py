# A narrow ViT at 32 pixels, fine-tuned as IDMM is: 40 epochs on two cores.
# Train: mmdrloc train idmm/vit-narrow_32px \
#      --weights work_dirs/idmm_vit-narrow_16px_cifar10-500
# Measured: with --dataset cifar10-500, 33.44 ± 1.00 % top-1 after 800
#     iterations (seeds 0-4, 10,000 test images); from the weights, 37.24 ±
#     0.45; after 5,400 iterations without them, 35.02 ± 0.85.
_base_ = [
    '../_base_/models/vit-narrow.py',
    '../_base_/datasets/cifar10_photos_bs128_32.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/default_runtime.py',
]
dataset_name = 'cifar10-500'
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='RandomResizedCrop', scale=32, crop_ratio_range=(0.3, 1.0)),
    dict(type='RandomFlip', prob=0.5),
    dict(type='PackInputs'),
]
train_dataloader = dict(
    batch_size=25,
    drop_last=True,
    dataset=dict(
        # Sorted by class: every hundredth.
        indices=list(range(0, 50000, 100)),
        pipeline=train_pipeline,
    ),
)

train_cfg = dict(max_epochs=40, val_interval=40)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=25)
default_hooks = dict(checkpoint=dict(interval=10), logger=dict(interval=20))
# Mixup in even epochs, CutMix in odd ones.
custom_hooks = [
    dict(
        type='mmdrloc.AlternatingAugmentsHook',
        augments=[
            dict(type='mmpretrain.Mixup', alpha=0.5),
            dict(type='mmdrloc.FoldedCutMix', alpha=0.5),
        ],
    )
]
