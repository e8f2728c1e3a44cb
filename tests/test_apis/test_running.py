"""The Runner of a config, on whatever machine."""

import pytest
import torch
from mmengine.config import Config
from mmengine.registry import DefaultScope
from mmengine.runner import Runner
from tiny_run import write_config

from mmdrloc.apis import running


@pytest.mark.parametrize('parts', [1, 3])
def test_learning_rate_follows_the_images_of_an_update(tmp_path, parts):
    cfg = Config.fromfile(write_config(tmp_path))
    cfg.merge_from_dict(
        {
            'work_dir': str(tmp_path),
            'launcher': 'none',
            'optim_wrapper.accumulative_counts': parts,
            'auto_scale_lr': dict(base_batch_size=8, enable=True),
        }
    )
    runner = running.build_runner(cfg)
    runner.train_loop.run = lambda: None
    runner.train()
    # 0.1 for 8 images an update; here 4 an iteration.
    assert runner.optim_wrapper.get_lr()['lr'] == [0.1 * 4 * parts / 8]


def test_home_in_the_work_dir(tmp_path, monkeypatch):
    monkeypatch.setenv('HOME', str(tmp_path))
    config = write_config(tmp_path)
    cfg = running.load_config(config, work_dir='~/runs/a')
    assert cfg.work_dir == f'{tmp_path}/runs/a'


def loader_of(cfg, split='train'):
    with DefaultScope.overwrite_default_scope('mmpretrain'):
        return Runner.build_dataloader(cfg[f'{split}_dataloader'])


@pytest.fixture
def bare(tmp_path):
    """A config that says nothing of workers, memory and collate."""
    cfg = Config.fromfile(write_config(tmp_path))
    cfg.work_dir, cfg.launcher = str(tmp_path / 'work'), 'none'
    for split in ('train', 'val', 'test'):
        del cfg[f'{split}_dataloader']['collate_fn']
    return cfg


@pytest.mark.parametrize('workers', [0, 2])
def test_loaders_are_those_of_mmpretrain(bare, workers):
    """Images are stacked and, for a GPU, pinned; workers are kept."""
    bare.train_dataloader.num_workers = workers
    if not workers:  # in a config that had some
        bare.train_dataloader.persistent_workers = True
    loader = running.build_runner(bare).train_dataloader
    pids = set()
    for _ in range(2):
        for batch in loader:
            assert batch['inputs'].shape == (4, 3, 24, 24)
            assert batch['inputs'].is_pinned() is torch.cuda.is_available()
        assert loader.persistent_workers is bool(workers)
        alive = getattr(loader._iterator, '_workers', [])
        pids |= {worker.pid for worker in alive}
    assert len(pids) == workers


@pytest.mark.parametrize('gpu', [False, True])
def test_loaders_are_completed_unless_the_config_says_otherwise(bare, gpu):
    """Memory is pinned for a GPU; detectors stack no images."""
    bare.val_dataloader.pin_memory = not gpu
    bare.test_dataloader = None
    bare.default_scope = 'mmdet'
    running.set_loaders(bare, gpu)
    assert loader_of(bare).pin_memory is gpu
    assert loader_of(bare, 'val').pin_memory is not gpu
    assert isinstance(next(iter(loader_of(bare, 'val')))['inputs'], list)
