"""Values and containers that no training can use are named, with a remedy."""

import pytest
from mmengine.config import Config
from tiny_run import write_config

from mmdrloc.preflight import check_config

NAN = float('nan')


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp('tiny'))


CASES = [
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


@pytest.mark.parametrize('options,words', [(c[0], c[1:]) for c in CASES])
def test_values(config, options, words):
    cfg = Config.fromfile(config)
    cfg.merge_from_dict(options)
    text = '\n'.join(check_config(cfg, ('train', 'val')))
    for word in words:
        assert word in text
    assert len(text.splitlines()) <= max(2, len(words))
