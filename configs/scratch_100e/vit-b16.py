# ViT-B/16 from scratch in 100 epochs, without DRLoc.
# Train: mmdrloc train scratch_100e/vit-b16
_base_ = [
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]

# As in the DRLoc experiments: queries, keys and values have no bias,
# and dropout acts in the layers but not on the embeddings.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='mmdrloc.DRLocViT',
        arch='base',
        img_size=224,
        patch_size=16,
        qkv_bias=False,
        norm_cfg=dict(type='LN', eps=1e-5),
        layer_cfgs=dict(drop_rate=0.1),
    ),
    neck=None,
    head=dict(
        type='VisionTransformerClsHead',
        num_classes=10,
        in_channels=768,
        init_cfg=None,  # PyTorch's own
        loss=dict(type='LabelSmoothLoss', label_smooth_val=0.1),
    ),
    train_cfg=dict(
        augments=[
            dict(type='Mixup', alpha=0.8),
            dict(type='CutMix', alpha=1.0),
        ]
    ),
)
