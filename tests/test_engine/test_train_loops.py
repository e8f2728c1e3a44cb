"""Which loops and loaders are made resumable, and what the others do."""

from unittest import mock

import pytest
from interrupted import assert_equal, train
from mmengine.config import Config
from mmengine.registry import LOOPS
from mmengine.runner import EpochBasedTrainLoop, Runner
from tiny_run import write_config
from torch.utils.data import DataLoader

from mmdrloc.engine.resumable_loader import ResumableLoader
from mmdrloc.engine.runner import ResumableRunner
from mmdrloc.engine.train_loops import ResumableEpochLoop, ResumableIterLoop
from mmdrloc.preflight.runner import loops_of


@LOOPS.register_module()
class OwnLoop(EpochBasedTrainLoop):
    """Somebody's."""


class OwnLoader(DataLoader):
    """Somebody's, without our batch sampler."""


@pytest.fixture
def cfg(tmp_path):
    return Config.fromfile(write_config(tmp_path))


def build(cfg, tmp_path):
    cfg.work_dir = str(tmp_path / 'work')
    cfg.launcher = 'none'
    return ResumableRunner.from_cfg(cfg)


@pytest.mark.parametrize(
    'train_cfg,kind,endless',
    [
        (dict(by_epoch=True, max_epochs=1), ResumableEpochLoop, False),
        (
            dict(type='EpochBasedTrainLoop', max_epochs=1, _scope_='mmdet'),
            ResumableEpochLoop,
            False,
        ),
        (
            # As a new-style config has it.
            dict(type=EpochBasedTrainLoop, max_epochs=1),
            ResumableEpochLoop,
            False,
        ),
        (dict(by_epoch=False, max_iters=1), ResumableIterLoop, True),
        (
            dict(type='mmengine.IterBasedTrainLoop', max_iters=1),
            ResumableIterLoop,
            True,
        ),
    ],
)
def test_where_mmengines_loop_is_asked_for(
    cfg, tmp_path, train_cfg, kind, endless
):
    loop = build(cfg, tmp_path).build_train_loop(train_cfg)
    assert type(loop) is kind
    assert type(loop.dataloader) is ResumableLoader
    assert loop.dataloader.batch_sampler.endless is endless


def test_loops_that_are_built_are_known(cfg, tmp_path):
    """From where MMEngine keeps them, without building the others."""
    runner = build(cfg, tmp_path)
    assert loops_of(runner) == {}
    loop = runner.train_loop
    assert loops_of(runner) == dict(train=loop)


def test_another_loop_is_left_alone(cfg, tmp_path):
    cfg.train_cfg = dict(type='OwnLoop', max_epochs=1)
    loop = build(cfg, tmp_path).train_loop
    assert type(loop) is OwnLoop
    assert type(loop.dataloader) is DataLoader


def test_processes_with_seeds_of_their_own_share_the_order(cfg, tmp_path):
    cfg.randomness = dict(seed=5, diff_rank_seed=True)
    path = 'mmengine.runner.utils.get_rank'
    with mock.patch(path, return_value=3):
        runner = build(cfg, tmp_path)
    with mock.patch.object(Runner, 'rank', 3):
        assert runner.seed == 8 and runner.data_seed == 5
        sampler = runner.train_loop.dataloader.batch_sampler
    assert sampler.seed == 5 and sampler.sampler.seed == 5


@pytest.mark.parametrize(
    'train_cfg',
    [
        dict(by_epoch=True, max_epochs=2),
        dict(by_epoch=False, max_iters=4, val_interval=9),
    ],
)
def test_a_loader_of_its_own_loads_what_was_trained(cfg, tmp_path, train_cfg):
    """Nothing is drawn here, and the order is the sampler's."""
    cfg.train_cfg = Config(train_cfg)._cfg_dict
    with mock.patch(
        'mmdrloc.engine.runner.resumable', side_effect=own
    ) as made:
        whole = train(cfg, tmp_path / 'whole')
        train(cfg, tmp_path / 'part', cut_after=2)
        resumed = train(
            cfg, tmp_path / 'part', resume=tmp_path / 'part/cut.pth'
        )
    assert made.call_count == 3
    assert_equal(resumed.steps, whole.steps[2:])
    assert_equal(resumed.weights, whole.weights)


def own(loader, seed, endless):
    return OwnLoader(
        loader.dataset,
        batch_sampler=loader.batch_sampler,
        collate_fn=loader.collate_fn,
    )
