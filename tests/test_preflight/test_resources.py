"""A training that would end without an update or a checkpoint."""

from collections import namedtuple

import pytest
from mmengine.config import Config
from mmengine.registry import init_default_scope
from tiny_run import build_runner, write_config

from mmdrloc.engine.runner import ResumableRunner
from mmdrloc.preflight.resources import (
    check_resources,
    checkpoint_bytes,
    kept_checkpoints,
)
from mmdrloc.utils.errors import UsageError

Usage = namedtuple('Usage', 'total used free')


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


def built(config, **options):
    runner = build_runner(config, **options)
    runner._train_loop = runner.build_train_loop(runner._train_loop)
    return runner


def test_nothing_to_say(config):
    assert check_resources(built(config)) == []
    # A test needs neither batches nor checkpoints.
    assert check_resources(build_runner(config)) == []


def test_less_than_a_batch(config):
    options = dict(
        train_dataloader__batch_size=13, train_dataloader__drop_last=True
    )
    (finding,) = check_resources(built(config, **options))
    assert 'the data set (CustomDataset) has 12 images' in finding
    assert 'one batch of 13' in finding and 'batch_size' in finding


SCHEDULE = dict(type='CosineAnnealingLR', convert_to_iter_based=True)
DROPPED = dict(batch_size=13, drop_last=True)


@pytest.mark.parametrize(
    'changes, said',
    [
        (dict(train_dataloader=DROPPED), 'less than one batch of 13'),
        (dict(val_dataloader=DROPPED), 'less than one batch of 13'),
        (dict(train_dataloader=dict(num_batch_per_epoch=0)), 'num_batch_per'),
        (dict(train_dataloader=dict(dataset=dict(indices=0))), 'indices'),
        (dict(val_dataloader=dict(dataset=dict(indices=[]))), 'indices'),
        (
            dict(train_dataloader=dict(dataset=dict(indices=[0, 99]))),
            'IndexError',
        ),
        (
            dict(
                train_dataloader=dict(
                    dataset=dict(indices=0, serialize_data=False)
                )
            ),
            'holds no image',
        ),
    ],
)
def test_no_batch_is_a_sentence_and_no_assertion(config, changes, said):
    """The first thing that trips over it would be the schedule."""
    cfg = Config.fromfile(config)
    cfg.merge_from_dict(dict(changes, param_scheduler=SCHEDULE))
    cfg.work_dir = str(config.parent / 'work')
    runner = ResumableRunner.from_cfg(cfg)
    with pytest.raises(UsageError, match=said):
        runner.train()


def test_samplers_without_end_fill_every_batch(config):
    cfg = Config.fromfile(config)
    cfg.merge_from_dict(dict(train_dataloader=DROPPED))
    cfg.train_dataloader.sampler.type = 'InfiniteSampler'
    init_default_scope('mmpretrain')
    loader = ResumableRunner.build_dataloader(cfg.train_dataloader)
    assert len(next(iter(loader))['inputs']) == 13


def test_a_full_disk(config, monkeypatch):
    runner = built(config)
    needed = checkpoint_bytes(runner) * 2
    usage = 'mmdrloc.preflight.resources.shutil.disk_usage'
    monkeypatch.setattr(usage, lambda path: Usage(0, 0, needed))
    assert check_resources(runner) == []
    monkeypatch.setattr(usage, lambda path: Usage(0, 0, needed - 1))
    (finding,) = check_resources(runner)
    assert 'free some' in finding and runner.work_dir in finding


@pytest.mark.parametrize(
    'options, count',
    [
        (dict(interval=1), 2),
        (dict(interval=1, max_keep_ckpts=1), 2),
        (dict(interval=2), 1),
        (dict(interval=1, by_epoch=False), 6),
        (dict(interval=1, by_epoch=False, max_keep_ckpts=2), 3),
        (dict(interval=-1), 0),
        (dict(interval=2, save_best='accuracy/top1'), 2),
    ],
)
def test_checkpoints_on_the_disk(config, options, count):
    """2 epochs of 3 iterations."""
    hook = dict(type='CheckpointHook', **options)
    runner = built(config, default_hooks__checkpoint=hook)
    assert kept_checkpoints(runner) == count
