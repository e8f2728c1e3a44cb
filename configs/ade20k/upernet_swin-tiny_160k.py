# UperNet with Swin-T, by mmseg's recipe.
# Train: mmdrloc train ade20k/upernet_swin-tiny_160k --dataset ade20k \
#      --weights work_dirs/swin-tiny_drloc_imagenet-1k
_base_ = [
    'mmseg::_base_/models/upernet_swin.py',
    '../_base_/datasets/ade20k.py',
    '../_base_/schedules/ade20k_adamw_160k.py',
    'mmseg::_base_/default_runtime.py',
]
model = dict(
    data_preprocessor=dict(size=(512, 512)),
    backbone=dict(
        _delete_=True,
        type='mmpretrain.SwinTransformer',
        arch='tiny',
        drop_path_rate=0.3,
        out_indices=(0, 1, 2, 3),
        # The same arithmetic as mmseg's Swin on maps of any size.
        pad_small_map=True,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    decode_head=dict(num_classes=150),
    auxiliary_head=dict(num_classes=150),
)
