"""Which loops and loaders are made resumable, and what the others do."""

from unittest import mock

import pytest
from mmengine.config import Config
from mmengine.hooks import Hook
from mmengine.registry import DATA_SAMPLERS, LOOPS
from mmengine.runner import EpochBasedTrainLoop, Runner
from tiny_run import write_config
from torch.utils.data import BatchSampler

from mmdrloc.checkpoints.reading import files_as_data
from mmdrloc.engine.data_order import ResumableBatchSampler
from mmdrloc.engine.runner import ResumableRunner
from mmdrloc.engine.train_loops import ResumableEpochLoop, ResumableIterLoop


@LOOPS.register_module()
class OwnLoop(EpochBasedTrainLoop):
    """Somebody's."""


@DATA_SAMPLERS.register_module()
class Halves(BatchSampler):
    """Somebody's: two batches."""

    def __init__(self, sampler, batch_size, drop_last=False):
        super().__init__(sampler, len(sampler) // 2, drop_last)


class Note(Hook):
    """Notes when a validation begins: the epoch, or the iteration."""

    def __init__(self, unit):
        self.unit, self.validated = unit, []

    def before_val(self, runner):
        self.validated.append(getattr(runner, self.unit))


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


@pytest.mark.parametrize(
    'train_cfg,expected',
    [
        (dict(by_epoch=True, max_epochs=4, val_interval=2), [2, 4]),
        (dict(by_epoch=True, max_epochs=4, val_begin=3), [3, 4]),
        # The last one, too, whatever the interval is.
        (dict(by_epoch=True, max_epochs=3, val_interval=2), [2, 3]),
        (dict(by_epoch=False, max_iters=5, val_interval=2), [2, 4, 5]),
    ],
)
def test_when_it_validates(cfg, tmp_path, train_cfg, expected):
    cfg.train_cfg = train_cfg
    runner = build(cfg, tmp_path)
    note = Note('iter' if 'max_iters' in train_cfg else 'epoch')
    runner.register_hook(note)
    runner.train()
    assert note.validated == expected


def test_a_validation_is_not_repeated_when_a_longer_run_goes_on(cfg, tmp_path):
    """The checkpoint at the end of all iterations comes after it."""
    note = Note('iter')
    for max_iters in (2, 4):
        cfg.train_cfg = dict(by_epoch=False, max_iters=max_iters)
        cfg.train_cfg.val_interval = 2
        cfg.experiment_name = f'to_{max_iters}'
        runner = build(cfg, tmp_path)
        runner.register_hook(note)
        with files_as_data(trust=True):  # of the old torch
            runner.train()
        cfg.resume = True
    assert note.validated == [2, 4]


@pytest.mark.parametrize('drop_last', [False, True])
def test_what_a_loader_says_of_its_batches_is_kept(cfg, tmp_path, drop_last):
    """12 images in batches of 5."""
    cfg.train_dataloader.update(batch_size=5, drop_last=drop_last)
    loop = build(cfg, tmp_path).build_train_loop(cfg.train_cfg)
    assert len(loop.dataloader) == 3 - drop_last
    cfg.train_dataloader.batch_sampler = dict(type='Halves')
    loop = build(cfg, tmp_path).build_train_loop(cfg.train_cfg)
    assert len(loop.dataloader) == 2


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
        order = runner.train_loop.dataloader.batch_sampler.sampler
    assert order.seed == 5


def test_the_rate_is_scaled_by_the_images_of_an_update(cfg, tmp_path):
    """Of two iterations of four, where the rate is meant for four."""
    rate = cfg.optim_wrapper.optimizer.lr
    cfg.optim_wrapper.accumulative_counts = 2
    cfg.auto_scale_lr = dict(base_batch_size=4, enable=True)
    runner = build(cfg, tmp_path)
    runner.train()
    [group] = runner.optim_wrapper.param_groups
    assert group['lr'] == pytest.approx(2 * rate)
