"""Wrong names, keys and values are each a sentence with place and remedy."""

from pathlib import Path

import pytest
from mmengine.config import Config
from tiny_run import write_config

from mmdrloc.preflight import check_config
from mmdrloc.preflight.config import bad_settings

QUICKSTART = Path(__file__).parents[2] / 'configs/quickstart'
DETECTION = 'mask-rcnn_swin-2stage_dense-drloc'
SEGMENTATION = 'upernet_swin-2stage_dense-drloc'
PHASES = ('train', 'val')


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp('tiny'))


def changed(path, options):
    cfg = Config.fromfile(path)
    cfg.merge_from_dict(options)
    return cfg


CLASSIFICATION = [
    # ---- names ----
    (
        {'model.backbone.type': 'SwinTransfomer'},
        "model.backbone.type: 'SwinTransfomer' is none of the models: write "
        "type='SwinTransformer'.",
    ),
    (
        {'model.type': 'mmpretran.ImageClassifier'},
        "model.type: 'mmpretran.ImageClassifier'",
        "write type='mmpretrain.ImageClassifier'",
    ),
    ({'model.type': 'MaskRCNN'}, "write type='mmdet.MaskRCNN'"),
    (
        {'model.head.loss': dict(type='CrossEntropyLos')},
        "model.head.loss.type: 'CrossEntropyLos'",
    ),
    (
        {'model.type': 3},
        'model.type is 3: it must be the name of a class, in quotes',
    ),
    (
        {'train_dataloader.dataset.type': 'CustomDatset'},
        'train_dataloader.dataset.type',
        "'CustomDataset'",
    ),
    (
        {'train_dataloader.dataset.pipeline': [dict(type='LodImageFromFile')]},
        'train_dataloader.dataset.pipeline[0].type',
        "'LoadImageFromFile'",
    ),
    (
        {'train_dataloader.dataset.pipeline': [dict(scale=3)]},
        'train_dataloader.dataset.pipeline[0] has no `type`',
    ),
    (
        {'val_dataloader.sampler.type': 'DefaultSampeler'},
        'val_dataloader.sampler.type',
        "'DefaultSampler'",
    ),
    (
        {'train_dataloader.collate_fn.type': 'defualt_collate'},
        'train_dataloader.collate_fn.type',
        "'default_collate'",
    ),
    ({'val_evaluator.type': 'Acuracy'}, 'val_evaluator.type', "'Accuracy'"),
    (
        {'optim_wrapper.optimizer.type': 'AdmaW'},
        'optim_wrapper.optimizer.type',
        "'AdamW'",
    ),
    (
        {'optim_wrapper.type': 'AmpOptimWraper'},
        'optim_wrapper.type',
        "'AmpOptimWrapper'",
    ),
    (
        {'optim_wrapper.constructor': 'LearningRateDecayOptimWrapperConstr'},
        'optim_wrapper.constructor',
        'LearningRateDecayOptimWrapperConstructor',
    ),
    (
        {'param_scheduler': [dict(type='CosinAnnealingLR', T_max=2)]},
        'param_scheduler[0].type',
        "'CosineAnnealingLR'",
    ),
    (
        {'custom_hooks': [dict(type='EMAHok')]},
        'custom_hooks[0].type',
        "'EMAHook'",
    ),
    (
        {'default_hooks.logger.type': 'LogerHook'},
        'default_hooks.logger.type',
        "'LoggerHook'",
    ),
    (
        {'train_cfg': dict(_delete_=True, type='EpochBasedTrainLop')},
        'train_cfg.type',
        "'EpochBasedTrainLoop'",
    ),
    (
        {'visualizer': dict(type='UniversalVisualiser')},
        'visualizer.type',
        "'UniversalVisualizer'",
    ),
    (
        {'default_scope': 'mmpretran'},
        "default_scope is 'mmpretran'",
        "default_scope='mmpretrain'",
    ),
    # ---- keys ----
    ({'trian_cfg': dict()}, 'nothing reads `trian_cfg`', '`train_cfg`'),
    ({'custom_hook': []}, 'nothing reads `custom_hook`', '`custom_hooks`'),
    (
        {'model.backbone.drop_path_rte': 0.1},
        'model.backbone.drop_path_rte: SwinTransformer takes no '
        '`drop_path_rte`: write `drop_path_rate`.',
    ),
    ({'model.head.foo': 1}, 'model.head.foo', 'remove it'),
    (
        {'model.head.num_classs': 3},
        'model.head.num_classs',
        'write `num_classes`',
    ),
    (
        {'train_dataloader.num_worker': 1},
        'train_dataloader.num_worker',
        '`num_workers`',
    ),
    (
        {'train_dataloader.dataset.data_rot': 'x'},
        'train_dataloader.dataset.data_rot',
        '`data_root`',
    ),
    (
        {'train_cfg.val_intervall': 1},
        'train_cfg.val_intervall',
        '`val_interval`',
    ),
    ({'val_cfg.fp61': True}, 'val_cfg.fp61', '`fp16`'),
    (
        {'optim_wrapper.optimizer.wieght_decay': 0.1},
        'optim_wrapper.optimizer.wieght_decay',
        '`weight_decay`',
    ),
    (
        {'optim_wrapper.clip_gard': dict(max_norm=1)},
        'optim_wrapper.clip_gard',
        '`clip_grad`',
    ),
    (
        {'optim_wrapper.clip_grad': dict(maxnorm=1)},
        'optim_wrapper.clip_grad.maxnorm',
        '`max_norm`',
    ),
    (
        {'optim_wrapper.paramwise_cfg': dict(norm_decay_mul=0)},
        'optim_wrapper.paramwise_cfg.norm_decay_mul',
        '`norm_decay_mult`',
    ),
    (
        {
            'optim_wrapper.paramwise_cfg': dict(
                custom_keys=dict(head=dict(lr_mul=2))
            )
        },
        "custom_keys['head'].lr_mul",
        '`lr_mult`',
    ),
    (
        {'default_hooks.chekpoint': dict(type='CheckpointHook')},
        'default_hooks.chekpoint',
        '`checkpoint`',
    ),
    (
        {
            'default_hooks.checkpoint': dict(
                type='CheckpointHook', max_keep_ckpt=1
            )
        },
        'default_hooks.checkpoint.max_keep_ckpt',
        '`max_keep_ckpts`',
    ),
    ({'randomness.sed': 1}, 'randomness.sed', '`seed`'),
    (
        {'auto_scale_lr': dict(base_batchsize=4)},
        'auto_scale_lr.base_batchsize',
        '`base_batch_size`',
    ),
]


@pytest.mark.parametrize(
    'options,words', [(c[0], c[1:]) for c in CLASSIFICATION]
)
def test_classification(config, options, words):
    text = '\n'.join(check_config(changed(config, options), PHASES))
    for word in words:
        assert word in text
    assert len(text.splitlines()) <= max(2, len(words))


DENSE = [
    (
        DETECTION,
        {'model.rpn_head.anchor_generator.type': 'AnchorGenrator'},
        "write type='AnchorGenerator'",
    ),
    (
        DETECTION,
        {'model.train_cfg.rpn.assigner.pos_iou_th': 0.7},
        'model.train_cfg.rpn.assigner.pos_iou_th',
        '`pos_iou_thr`',
    ),
    (
        DETECTION,
        {'model.drloc_head.loss.type': 'mmdrloc.DRLocL2Loss'},
        "write type='mmdrloc.DRLocL1Loss'",
    ),
    (
        DETECTION,
        {'model.drloc_head.num_pairs': 0},
        'model.drloc_head.num_pairs is 0',
    ),
    (
        DETECTION,
        {'model.roi_head.bbox_head.num_clases': 3},
        'model.roi_head.bbox_head.num_clases',
        '`num_classes`',
    ),
    (
        DETECTION,
        {'train_dataloader.dataset.pipeline.1.with_bbox': 'False'},
        'pipeline[1].with_bbox',
        'True or False',
    ),
    (
        SEGMENTATION,
        {'model.decode_head.type': 'UPerHed'},
        'model.decode_head.type',
        "'UPerHead'",
    ),
    (
        SEGMENTATION,
        {'model.decode_head.dropout_ratio': 2},
        'model.decode_head.dropout_ratio is 2',
    ),
    (SEGMENTATION, {'val_evaluator.prefx': 'a'}, '`prefix`'),
]


@pytest.mark.parametrize(
    'name,options,words', [(c[0], c[1], c[2:]) for c in DENSE]
)
def test_detection_and_segmentation(name, options, words):
    pytest.importorskip('mmcv.ops')
    cfg = changed(QUICKSTART / f'{name}.py', options)
    [finding] = bad_settings(cfg, PHASES)
    for word in words:
        assert word in finding


def test_nothing_to_say(config):
    assert bad_settings(Config.fromfile(config), PHASES) == []


def test_one_fault_does_not_hide_another(config):
    cfg = changed(
        config,
        {
            'model.backbone.arch': 'tinny',
            'optim_wrapper.optimizer.betas': 3,
            'param_scheduler': [dict(type='StepLR', step_size=0)],
            'custom_hooks': [dict(type='EMAHook', evaluate_on_ema=1, x=1)],
        },
    )
    text = '\n'.join(check_config(cfg, PHASES))
    for words in (
        'model.backbone (SwinTransformer) cannot be built: Arch tinny',
        'optim_wrapper.optimizer.betas: SGD takes no `betas`: remove it',
        'param_scheduler[0].step_size is 0',
    ):
        assert words in text
    assert len(text.splitlines()) <= 5
