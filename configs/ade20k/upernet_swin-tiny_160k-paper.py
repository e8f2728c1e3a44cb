# UperNet with Swin-T, by the paper's recipe: drop path 0.2, and tests at six
# sizes (--tta), not flipped, of which the paper says nothing.
# Train: mmdrloc train ade20k/upernet_swin-tiny_160k-paper \
#      --weights work_dirs/swin-tiny_drloc_imagenet-1k
_base_ = './upernet_swin-tiny_160k.py'
model = dict(backbone=dict(drop_path_rate=0.2))

# 0.5 to 1.75 times the resolution of the training, 2048x512. mmseg's own takes
# these factors of each photo's own size.
tta_pipeline = [
    dict(type='LoadImageFromFile', backend_args=None),
    dict(
        type='TestTimeAug',
        transforms=[
            [
                dict(type='Resize', scale=(1024, 256), keep_ratio=True),
                dict(type='Resize', scale=(1536, 384), keep_ratio=True),
                dict(type='Resize', scale=(2048, 512), keep_ratio=True),
                dict(type='Resize', scale=(2560, 640), keep_ratio=True),
                dict(type='Resize', scale=(3072, 768), keep_ratio=True),
                dict(type='Resize', scale=(3584, 896), keep_ratio=True),
            ],
            [dict(type='RandomFlip', prob=0.0, direction='horizontal')],
            [dict(type='LoadAnnotations')],
            [dict(type='PackSegInputs')],
        ],
    ),
]
