# vit-4layers.py with RandAugment and CutMix, for longer trainings.
# Train: mmdrloc train evidence/vit-4layers_augmented --iters 4500
# Weights for others: the same with --dataset cifar10_photos.
# Measured: 42.60 ± 1.49 % top-1 on 5,000 photos after 4,500 iterations, 32.85
#     ± 0.55 after 1,500 (seeds 0-2), 58.42 ± 1.17 after 13,500 (0, 1), 2,000
#     of the test photos. At the tenfold rate of positions (../../docs/
#     when_it_helps.md) 48.17 ± 0.54 after 4,500, 59.53 ± 0.87 after 14,445, of
#     all 10,000; this learning rate is then the best of four on held-out
#     photos.
_base_ = [
    '../_base_/models/vit-4layers.py',
    '../_base_/datasets/cifar10-5k_bs32_32.py',
    '../_base_/schedules/evidence_bs32_adamw_1500it.py',
    '../_base_/default_runtime.py',
]
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='Resize', scale=32),
    dict(type='RandomCrop', crop_size=32, padding=4),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(
        type='RandAugment',
        policies='timm_increasing',
        num_policies=2,
        magnitude_level=9,
        magnitude_std=0.5,
        hparams=dict(pad_val=[104, 116, 124], interpolation='bicubic'),
    ),
    dict(type='PackInputs'),
]
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
# Half of the batches are mixed.
model = dict(
    train_cfg=dict(augments=dict(type='CutMix', alpha=1.0), probs=[0.5])
)
default_hooks = dict(checkpoint=dict(by_epoch=False, interval=250))
