"""Wrong names, keys and values are each a sentence with place and remedy."""

from pathlib import Path

import pytest
from mmengine.config import Config
from tiny_run import write_config

from mmdrloc.checks import check_config
from mmdrloc.checks.building import broken_parts
from mmdrloc.checks.config import bad_settings

QUICKSTART = Path(__file__).parents[2] / 'configs/quickstart'
DETECTION = 'mask-rcnn_swin-2stage_dense-drloc'
SEGMENTATION = 'upernet_swin-2stage_dense-drloc'
PHASES = ('train', 'val')
NAN = float('nan')


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
    # ---- values ----
    ({'optim_wrapper.optimizer.lr': '1e-3'}, 'optimizer.lr', 'above 0'),
    ({'optim_wrapper.optimizer.lr': -0.1}, 'optimizer.lr is -0.1', 'above 0'),
    ({'optim_wrapper.optimizer.lr': 0}, 'optimizer.lr is 0'),
    ({'optim_wrapper.optimizer.lr': NAN}, 'optimizer.lr is nan'),
    ({'optim_wrapper.optimizer.lr': float('inf')}, 'optimizer.lr is inf'),
    ({'optim_wrapper.optimizer.weight_decay': -1}, 'weight_decay is -1'),
    ({'optim_wrapper.optimizer.momentum': 1.5}, 'momentum is 1.5'),
    ({'optim_wrapper.accumulative_counts': 0}, 'accumulative_counts is 0'),
    (
        {'optim_wrapper.clip_grad': dict(max_norm=0)},
        'optim_wrapper.clip_grad.max_norm is 0',
    ),
    ({'optim_wrapper.clip_grad': 3}, 'clip_grad is 3', 'dict(max_norm='),
    (
        {'optim_wrapper.paramwise_cfg': dict(layer_decay_rate=1.5)},
        'layer_decay_rate is 1.5',
    ),
    ({'train_cfg.max_epochs': 0}, 'train_cfg.max_epochs is 0'),
    ({'train_cfg.max_epochs': 1.5}, 'train_cfg.max_epochs is 1.5'),
    ({'train_cfg.max_epochs': '2'}, "train_cfg.max_epochs is '2'"),
    ({'train_cfg.val_interval': 0}, 'train_cfg.val_interval is 0'),
    ({'train_cfg.val_begin': 9}, 'never be validated'),
    ({'train_cfg': dict(_delete_=True, max_epochs=2)}, 'neither `by_epoch`'),
    ({'train_cfg': dict(_delete_=True, by_epoch=True)}, 'no `max_epochs`'),
    ({'train_dataloader.batch_size': 0}, 'train_dataloader.batch_size is 0'),
    ({'train_dataloader.num_workers': -1}, 'num_workers is -1'),
    (
        {'val_dataloader.persistent_workers': True},
        'val_dataloader.persistent_workers is True with num_workers=0',
    ),
    ({'train_dataloader.prefetch_factor': 2}, 'with num_workers=0'),
    ({'default_hooks.logger.interval': 0}, 'default_hooks.logger.interval'),
    (
        {'default_hooks.checkpoint': dict(type='CheckpointHook', interval=0)},
        'default_hooks.checkpoint.interval is 0',
    ),
    (
        {'custom_hooks': [dict(type='EMAHook', momentum=2.0)]},
        'custom_hooks[0].momentum is 2.0',
    ),
    (
        {'param_scheduler': dict(type='CosineAnnealingLR', T_max=0)},
        'param_scheduler.T_max is 0',
    ),
    (
        {'param_scheduler': dict(type='LinearLR', begin=-1)},
        'param_scheduler.begin is -1',
    ),
    (
        {'param_scheduler': [dict(type='MultiStepLR', milestones=[8, 4])]},
        'param_scheduler[0].milestones are 8, 4',
        'ascending',
    ),
    (
        {
            'train_cfg': dict(_delete_=True, by_epoch=False, max_iters=9),
            'param_scheduler': [dict(type='LinearLR', end=2)],
        },
        'param_scheduler[0] (LinearLR) counts epochs',
        'by_epoch=False',
    ),
    ({'data_preprocessor.std': [0, 1, 1]}, 'data_preprocessor.std has 0'),
    (
        {'data_preprocessor.std': [1, 1, 1], 'data_preprocessor.mean': [1, 1]},
        'data_preprocessor.mean has 2 values and std 3',
    ),
    (
        {
            'data_preprocessor.std': [1, 1, 1],
            'model.backbone.in_channels': 1,
        },
        'model.backbone has in_channels=1',
    ),
    ({'model.backbone.drop_path_rate': 1.2}, 'drop_path_rate is 1.2'),
    ({'model.backbone.drop_path_rate': 'x'}, "drop_path_rate is 'x'"),
    ({'model.backbone.patch_size': 0}, 'model.backbone.patch_size is 0'),
    ({'model.head.num_classes': -3}, 'model.head.num_classes is -3'),
    ({'model.head.in_channels': True}, 'in_channels is True'),
    (
        {'model.head.loss': dict(type='CrossEntropyLoss', loss_weight=NAN)},
        'model.head.loss.loss_weight is nan',
    ),
    (
        {
            'model.head.loss': dict(
                type='LabelSmoothLoss', label_smooth_val=1.5
            )
        },
        'label_smooth_val is 1.5',
    ),
    (
        {'model.train_cfg': dict(augments=dict(type='Mixup', alpha=0.0))},
        'model.train_cfg.augments.alpha is 0.0',
    ),
    (
        {
            'train_dataloader.dataset.pipeline': [
                dict(type='RandomFlip', prob=1.5),
                dict(type='RandomCrop', crop_size=0),
            ]
        },
        'pipeline[0].prob is 1.5',
        'pipeline[1].crop_size is 0',
    ),
    ({'val_evaluator.topk': (1, 5)}, 'val_evaluator.topk has 5', 'leave 5'),
    ({'model.head.topk': (1, 5)}, 'model.head.topk has 5'),
    ({'randomness.seed': -1}, 'randomness.seed is -1'),
    ({'randomness.deterministic': 'no'}, "randomness.deterministic is 'no'"),
    ({'resume': 'False'}, "resume is 'False'", 'True or False'),
    ({'log_level': 'INFOS'}, "write 'INFO'"),
    ({'val_cfg': None}, 'val_dataloader, val_evaluator and no val_cfg'),
    ({'val_evaluator': []}, 'val_evaluator has no metric'),
    ({'optim_wrapper.optimizer': None}, 'optim_wrapper has no `optimizer`'),
    ({'train_dataloader.dataset': None}, 'train_dataloader has no `dataset`'),
    (
        {'param_scheduler': [dict(type='MultiStepLR', milestones=3)]},
        'param_scheduler[0].milestones is 3',
    ),
    (
        {'env_cfg': dict(mp_cfg=dict(mp_start_method='frok'))},
        "write 'fork'",
    ),
    (
        {'env_cfg': dict(dist_cfg=dict(timeout=0))},
        'env_cfg.dist_cfg.timeout is 0',
    ),
    ({'log_processor': dict(window_size=0)}, 'window_size is 0'),
    (
        {'model.backbone.norm_cfg': dict(type='LM')},
        "model.backbone.norm_cfg.type: 'LM' is none of the models",
    ),
    (
        {'train_dataloader.dataset.data_root': 5},
        'train_dataloader.dataset.data_root is 5',
        'CustomDataset expects a text',
    ),
    (
        {'optim_wrapper.paramwise_cfg': dict(custom_keys=dict(head=3))},
        "custom_keys['head'] is 3",
    ),
    (
        {'default_hooks.logger.priority': 'HIGHH'},
        "default_hooks.logger.priority is 'HIGHH'",
        "'HIGH'",
    ),
    ({'load_from': 3}, 'load_from is 3: it must be a path'),
    # ---- containers ----
    ({'train_cfg': 3}, 'train_cfg is 3: it must be a dict'),
    ({'optim_wrapper': 'SGD'}, "optim_wrapper is 'SGD'"),
    ({'custom_hooks': 'EMAHook'}, 'custom_hooks', 'a list of dicts'),
    ({'default_hooks': 'x'}, "default_hooks is 'x'"),
    ({'model.backbone': 'ResNet'}, "model.backbone is 'ResNet'"),
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
            'load_from': 'none.pth',
        },
    )
    text = '\n'.join(check_config(cfg, PHASES))
    for words in (
        'model.backbone (SwinTransformer) cannot be built: Arch tinny',
        'optim_wrapper.optimizer.betas: SGD takes no `betas`: remove it',
        'param_scheduler[0].step_size is 0',
        'none.pth',
    ):
        assert words in text
    assert len(text.splitlines()) <= 5


@pytest.mark.parametrize(
    'options,words',
    [
        (
            {'model.backbone.arch': dict(_delete_=True, embed_dims=8)},
            'model.backbone (SwinTransformer) cannot be built: Custom arch',
        ),
        (
            {'model.head': dict(_delete_=True, type='LinearClsHead')},
            "model.head (LinearClsHead) needs 'num_classes' and",
        ),
        (
            {
                'default_hooks.checkpoint': dict(
                    type='CheckpointHook', save_best='x'
                )
            },
            'default_hooks.checkpoint (CheckpointHook) cannot be built: '
            'Cannot infer the rule',
        ),
        (
            {'param_scheduler': [dict(type='LinearLR', begin=3, end=2)]},
            'param_scheduler[0] (LinearLR) cannot be built',
        ),
        (
            {'optim_wrapper.clip_grad': dict(type='abc', max_norm=1)},
            'optim_wrapper cannot be built: type of clip_grad',
        ),
        (
            {'train_dataloader.dataset.pipeline': [dict(type='Resize')]},
            'train_dataloader.dataset.pipeline[0] (Resize) cannot be built',
        ),
        (
            {'train_dataloader.sampler.shufle': 1},
            'train_dataloader.sampler.shufle: DefaultSampler takes no',
        ),
    ],
)
def test_what_cannot_be_built(config, options, words):
    [finding] = broken_parts(changed(config, options), PHASES)
    assert words in finding


def test_what_can_be_built(config):
    assert broken_parts(Config.fromfile(config), PHASES) == []


def test_the_head_says_what_it_lacks(config):
    cfg = changed(
        QUICKSTART / 'swin-2stage_drloc.py',
        {'model.auxiliary_head.source': 'stages.9'},
    )
    [finding] = broken_parts(cfg, PHASES)
    assert finding.startswith("model: source='stages.9' names no module")
