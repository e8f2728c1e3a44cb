"""One step and one checkpoint before the first update leave no trace."""

import random

import numpy as np
import pytest
import torch
from mmengine.config import Config
from mmengine.evaluator import BaseMetric
from mmengine.hooks import Hook
from mmengine.registry import METRICS
from tiny_run import write_config

from mmdrloc.engine.runner import ResumableRunner
from mmdrloc.utils.errors import UsageError

LOAD = dict(type='LoadImageFromFile')
PACK = dict(type='PackInputs')


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp('tiny'))


def runner_for(config, tmp_path, options, hooks=True):
    cfg = Config.fromfile(config)
    cfg.train_cfg.max_epochs = 1
    if hooks:
        cfg.default_hooks.dry_run = dict(type='mmdrloc.DryRunHook')
    cfg.merge_from_dict(options)
    cfg.work_dir = str(tmp_path / 'work')
    return ResumableRunner.from_cfg(cfg)


@METRICS.register_module(force=True)
class Strict(BaseMetric):
    """A metric that reads what the predictions do not have."""

    def process(self, data_batch, data_samples):
        self.results.append(data_samples[0]['pred_boxes'])

    def compute_metrics(self, results):
        return {}


REFUSED = [
    (
        {'model.head.in_channels': 32},
        'a training step, tried before the first update, fails in '
        'model.head.fc (Linear)',
        '16 channels come in where 32 are expected',
    ),
    (
        {'model.backbone.arch.num_heads': [3, 2]},
        'model.backbone.stages.0.blocks.0.attn.w_msa',
        'compare its heads, its width',
    ),
    (
        {'train_dataloader.dataset.pipeline': [LOAD]},
        'model.data_preprocessor (ClsDataPreprocessor)',
        "there is no key 'inputs'",
    ),
    (
        {'train_dataloader.dataset.pipeline': [PACK]},
        "there is no key 'inputs'",
    ),
    (
        {
            'val_dataloader.dataset.pipeline': [
                LOAD,
                dict(type='mmpretrain.CenterCrop', crop_size=8),
                PACK,
            ]
        },
        'a validation step, tried before the first update, fails in '
        'model.backbone',
    ),
    (
        {'val_evaluator': dict(_delete_=True, type='Strict')},
        'val_evaluator (Strict) fails',
        "there is no key 'pred_boxes'",
    ),
    (
        {
            'default_hooks.checkpoint': dict(
                type='CheckpointHook', save_best='acuracy/top1', rule='greater'
            )
        },
        "save_best is 'acuracy/top1', the validation gives accuracy/top1",
        "write save_best='accuracy/top1'",
    ),
    (
        {
            'custom_hooks': [
                dict(type='EarlyStoppingHook', monitor='top1', rule='greater')
            ]
        },
        "monitor is 'top1'",
    ),
    (
        {
            'default_hooks.checkpoint': dict(
                type='CheckpointHook', filename_tmpl='last.pth'
            )
        },
        'would replace the one before',
    ),
    (
        {
            'default_hooks.checkpoint': dict(
                type='CheckpointHook', filename_tmpl='{a}.pth'
            )
        },
        'into which no number can be put',
    ),
    (
        {
            'default_hooks.checkpoint': dict(
                type='CheckpointHook', intervall_=1
            )
        },
        'default_hooks.checkpoint.intervall_: nothing reads',
    ),
    (
        {
            'default_hooks.checkpoint': dict(
                type='CheckpointHook', out_dir='/dev/null/x'
            )
        },
        'no checkpoint can be written to /dev/null/x',
        'default_hooks.checkpoint.out_dir',
    ),
]


@pytest.mark.parametrize('options,words', [(c[0], c[1:]) for c in REFUSED])
def test_refused_before_the_first_update(config, tmp_path, options, words):
    runner = runner_for(config, tmp_path, options)
    with pytest.raises(UsageError) as error:
        runner.train()
    for word in words:
        assert word in str(error.value)
    assert 'foreseen' not in str(error.value)
    assert runner.iter == 0
    assert not list((tmp_path / 'work').glob('*.pth'))


def test_a_fault_of_both_steps_is_said_once(config, tmp_path):
    runner = runner_for(config, tmp_path, {'model.head.in_channels': 32})
    with pytest.raises(UsageError) as error:
        runner.train()
    assert 'things' not in str(error.value)


class Witness(Hook):
    """Keeps what a dry run could have changed."""

    priority = 'LOWEST'

    def before_train(self, runner):
        self.random = (
            torch.get_rng_state(),
            random.getstate(),
            np.random.get_state()[1].tolist(),
        )
        self.messages = dict(runner.message_hub.runtime_info)
        self.scalars = list(runner.message_hub.log_scalars)
        self.files = sorted(p.name for p in runner.work_dir_files())
        self.modes = [m.training for m in runner.model.modules()]
        self.results = runner.val_evaluator.metrics[0].results
        self.weights = {
            name: tensor.clone()
            for name, tensor in runner.model.state_dict().items()
        }
        self.batches = []

    def before_train_iter(self, runner, batch_idx, data_batch):
        self.batches.append(data_batch['inputs'].clone())


def trained(config, path, hooks):
    options = {
        'model.backbone': dict(_delete_=True, type='ResNet', depth=18),
        'model.head.in_channels': 512,
        'train_dataloader.dataset.pipeline': [
            LOAD,
            dict(type='RandomFlip', prob=0.5),
            dict(type='ColorJitter', brightness=0.5),
            PACK,
        ],
        'experiment_name': path.name,
    }
    runner = runner_for(config, path, options, hooks)
    runner.work_dir_files = lambda: (
        p for p in (path / 'work').rglob('*') if 'vis_data' not in str(p)
    )
    witness = Witness()
    runner.register_hook(witness)
    runner.train()
    return witness, runner.model.state_dict()


def test_nothing_is_left(config, tmp_path):
    with_it, weights = trained(config, tmp_path / 'with', True)
    without, others = trained(config, tmp_path / 'without', False)
    assert torch.equal(with_it.random[0], without.random[0])
    assert with_it.random[1:] == without.random[1:]
    assert with_it.messages.keys() == without.messages.keys()
    assert with_it.scalars == without.scalars
    assert with_it.modes == without.modes
    assert with_it.results == without.results == []
    assert not [name for name in with_it.files if name.endswith('.pth')]
    assert not [name for name in with_it.files if name.startswith('.try')]
    for ours, one in (
        (with_it.weights, without.weights),
        (weights, others),
        (dict(enumerate(with_it.batches)), dict(enumerate(without.batches))),
    ):
        assert ours.keys() == one.keys()
        assert all(torch.equal(ours[name], one[name]) for name in ours)


def test_a_part_that_cannot_be_built_is_named_by_the_runner(config, tmp_path):
    with pytest.raises(UsageError) as error:
        runner_for(
            config,
            tmp_path,
            {
                'model.backbone.arch': 'tinny',
                'custom_hooks': [dict(type='EMAHook', interval=-1.5)],
            },
        )
    assert 'model.backbone (SwinTransformer) cannot be built' in str(
        error.value
    )
    runner = runner_for(
        config, tmp_path / 'b', {'optim_wrapper.optimizer.foo': 1}
    )
    with pytest.raises(UsageError, match='optimizer.foo: SGD takes no `foo`'):
        runner.train()


class Failing(Hook):
    """Raises what nobody foresaw."""

    def __init__(self, when):
        self.when = when

    def before_train(self, runner):
        self._raise('before_train')

    def after_train_iter(self, runner, *args, **kwargs):
        self._raise('after_train_iter')

    def _raise(self, when):
        if when == self.when:
            raise RuntimeError('of a kind\nnever seen')


def test_the_last_net_ends_with_the_first_update(
    config, tmp_path, monkeypatch
):
    runner = runner_for(config, tmp_path, {}, hooks=False)
    runner.register_hook(Failing('before_train'))
    with pytest.raises(UsageError, match='RuntimeError: of a kind. This was'):
        runner.train()
    assert 'never seen' in (tmp_path / 'work/error.log').read_text()

    monkeypatch.setenv('MMDRLOC_TRACEBACK', '1')
    runner = runner_for(config, tmp_path / 'b', {}, hooks=False)
    runner.register_hook(Failing('before_train'))
    with pytest.raises(RuntimeError, match='never seen'):
        runner.train()

    monkeypatch.delenv('MMDRLOC_TRACEBACK')
    runner = runner_for(config, tmp_path / 'c', {}, hooks=False)
    runner.register_hook(Failing('after_train_iter'))
    with pytest.raises(RuntimeError, match='never seen'):
        runner.train()
