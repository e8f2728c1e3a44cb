"""A training on several processes of the CPU, started as torchrun would.

In a module of its own, because spawned processes import it by name.
"""

import json
import multiprocessing
import os
import socket
from pathlib import Path

import numpy as np
import torch
from mmengine.config import Config
from mmengine.dist import get_rank
from mmengine.hooks import Hook

from mmdrloc.apis.running import add_hook, build_runner
from mmdrloc.models import DRLocHead
from mmdrloc.registry import HOOKS, MODELS

GLOBAL_BATCH = 4
DRLOC = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.SamePairsHead',
        source='stages.1',
        in_channels=16,
        hidden_channels=12,
    ),
)


@MODELS.register_module()
class SamePairsHead(DRLocHead):
    """The same pairs for every image, whichever process it is on."""

    def sample_pairs(self, batch_size, *args, **kwargs):
        generator = torch.Generator().manual_seed(0)
        pairs = torch.randint(3, (1, 8, 4), generator=generator)
        return pairs.expand(batch_size, -1, -1)


@HOOKS.register_module()
class WitnessHook(Hook):
    """Writes what each process would draw next."""

    priority = 'LOWEST'

    def after_train_iter(self, runner, *args, **kwargs):
        draws = Path(runner.work_dir, f'draws_{get_rank()}.txt')
        with draws.open('a') as file:
            file.write(f'{np.random.rand()} {torch.rand(()).item()}\n')


def train(
    config: Path, world_size: int, epochs: int, work_dir: Path, resume=None
):
    """Train with ``GLOBAL_BATCH`` images an update; the log's entries.

    Args:
        config (Path): Its model is replaced, unless it has DRLoc.
        world_size (int): Processes.
        epochs (int): Until the end.
        work_dir (Path): Where to.
        resume (Path, optional): A checkpoint to go on from.
    """
    # Imports once what every process needs.
    multiprocessing.set_forkserver_preload(
        ['mmdrloc.apis.training', 'mmpretrain.models']
    )
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    torch.multiprocessing.start_processes(
        one_process,
        (world_size, port, config, epochs, work_dir, resume),
        nprocs=world_size,
        start_method='forkserver',
    )
    (log,) = sorted(work_dir.glob('*/vis_data/scalars.json'))[-1:]
    return [json.loads(line) for line in log.read_text().splitlines()]


def assert_close(one: Path, other: Path):
    """Checkpoints have the same weights, but for the order of sums."""
    weights, theirs = (
        torch.load(path, weights_only=False)['state_dict']
        for path in (one, other)
    )
    for name, tensor in weights.items():
        torch.testing.assert_close(tensor, theirs[name], atol=1e-5, rtol=1e-4)


def one_process(rank, world_size, port, config, epochs, work_dir, resume):
    torch.set_num_threads(1)
    os.environ.update(
        RANK=str(rank),
        LOCAL_RANK=str(rank),
        WORLD_SIZE=str(world_size),
        MASTER_ADDR='127.0.0.1',
        MASTER_PORT=str(port),
        CUDA_VISIBLE_DEVICES='',
    )
    cfg = Config.fromfile(config)
    cfg.work_dir = str(work_dir)
    cfg.launcher = 'none' if world_size == 1 else 'pytorch'
    if 'auxiliary_head' not in cfg.model:
        cfg.model.update(DRLOC)
    cfg.train_cfg.max_epochs = epochs
    cfg.train_dataloader.batch_size = GLOBAL_BATCH // world_size
    # 10 images: not as many on each of 4 processes.
    cfg.val_dataloader.dataset.indices = 10
    # Each step's own losses, not the mean of the last ten.
    cfg.log_processor = dict(window_size=1)
    add_hook(cfg, 'result', 'mmdrloc.ResultHook')
    add_hook(cfg, 'non_finite', 'mmdrloc.NonFiniteHook')
    if resume:
        cfg.resume, cfg.load_from = True, str(resume)
    build_runner(cfg).train()
