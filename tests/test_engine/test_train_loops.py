"""Which loops and loaders are made resumable, and what the others do."""

from unittest import mock

import pytest
from mmengine.config import Config
from mmengine.registry import LOOPS
from mmengine.runner import EpochBasedTrainLoop, Runner
from tiny_run import write_config
from torch.utils.data import BatchSampler

from mmdrloc.engine.data_order import ResumableBatchSampler
from mmdrloc.engine.runner import ResumableRunner
from mmdrloc.engine.train_loops import ResumableEpochLoop, ResumableIterLoop


@LOOPS.register_module()
class OwnLoop(EpochBasedTrainLoop):
    """Somebody's."""


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
    ],
)
def test_where_mmengines_loop_is_asked_for(
    cfg, tmp_path, train_cfg, kind, endless
):
    loop = build(cfg, tmp_path).build_train_loop(train_cfg)
    assert type(loop) is kind
    assert type(loop.dataloader.batch_sampler) is ResumableBatchSampler
    assert loop.dataloader.batch_sampler.endless is endless


def test_another_loop_is_left_alone(cfg, tmp_path):
    cfg.train_cfg = dict(type='OwnLoop', max_epochs=1)
    loop = build(cfg, tmp_path).train_loop
    assert type(loop) is OwnLoop
    assert type(loop.dataloader.batch_sampler) is BatchSampler


def test_processes_with_seeds_of_their_own_share_the_order(cfg, tmp_path):
    cfg.randomness = dict(seed=5, diff_rank_seed=True)
    path = 'mmengine.runner.utils.get_rank'
    with mock.patch(path, return_value=3):
        runner = build(cfg, tmp_path)
    with mock.patch.object(Runner, 'rank', 3):
        assert runner.seed == 8 and runner.data_seed == 5
        sampler = runner.train_loop.dataloader.batch_sampler
    assert sampler.seed == 5 and sampler.sampler.seed == 5
