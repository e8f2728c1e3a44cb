# UperNet with Swin-T, by mmseg's recipe in half the iterations.
#
# Needs: a training of configs/scratch_300e/swin-tiny{,_drloc}.py with
#            --dataset imagenet-1k or imagenet-100
# Train: python tools/train.py configs/ade20k/upernet_swin-tiny_80k.py \
#      --weights work_dirs/swin-tiny_drloc_imagenet-1k
_base_ = [
    '../_base_/models/upernet_swin.py',
    '../_base_/datasets/ade20k.py',
    # mmseg's own file; for the path see default_runtime_mmseg.py.
    __import__('importlib.util')
    .util.find_spec('mmseg')
    .submodule_search_locations[0]
    + '/.mim/configs/_base_/schedules/schedule_80k.py',
    '../_base_/default_runtime_mmseg.py',
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

optim_wrapper = dict(
    _delete_=True,
    type='OptimWrapper',
    optimizer=dict(
        type='AdamW', lr=6e-5, betas=(0.9, 0.999), weight_decay=0.01
    ),
    paramwise_cfg=dict(
        custom_keys={
            'absolute_pos_embed': dict(decay_mult=0.0),
            'relative_position_bias_table': dict(decay_mult=0.0),
            'norm': dict(decay_mult=0.0),
        }
    ),
)
param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-6, by_epoch=False, begin=0, end=1500
    ),
    dict(
        type='PolyLR',
        eta_min=0.0,
        power=1.0,
        begin=1500,
        end=80000,
        by_epoch=False,
    ),
]
