"""A training on several processes of the CPU, by the script that is shipped.

Configs import this module by name, for its head and its hook.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from command_line import TOOLS, Program
from mmengine.dist import get_rank
from mmengine.hooks import Hook
from mmpretrain.utils import get_ori_model

from mmdrloc.models import DRLocHead
from mmdrloc.registry import HOOKS, MODELS

GLOBAL_BATCH = 4
# 10 images to validate: not as many on each of 4 processes. Each step's own
# losses, not the mean of the last ten.
CONFIG = """
_base_ = 'tiny.py'
custom_imports = dict(imports=['several_processes'])
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.SamePairsHead', source='stages.1', in_channels=16,
        hidden_channels=12))
val_dataloader = dict(dataset=dict(indices=10))
log_processor = dict(window_size=1)
"""


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


@HOOKS.register_module()
class FaultHook(Hook):
    """Fails in the first process; the others wait for it."""

    def after_train_iter(self, runner, *args, **kwargs):
        if get_rank() == 0:
            raise RuntimeError('what is wrong')


@HOOKS.register_module()
class StatisticsHook(Hook):
    """Writes the running means that each process validates with."""

    priority = 'LOWEST'

    def before_val(self, runner):
        weights = get_ori_model(runner.model).state_dict()
        means = {n: t for n, t in weights.items() if 'running_' in n}
        torch.save(means, Path(runner.work_dir, f'means_{get_rank()}.pt'))


def train(config: Path, world_size: int, work_dir: Path, *flags):
    """Train with ``GLOBAL_BATCH`` images an update; the log's entries."""
    words = [sys.executable, TOOLS / 'train.py', config]
    if world_size > 1:
        words = ['bash', TOOLS / 'dist_train.sh', config, world_size]
    words += ['--work-dir', work_dir, *flags, '--cfg-options']
    batch = f'train_dataloader.batch_size={GLOBAL_BATCH // world_size}'
    program = Program(config.parent, *words, batch)
    assert program.wait() == 0, program.output()
    (log,) = sorted(work_dir.glob('*/vis_data/scalars.json'))[-1:]
    return [json.loads(line) for line in log.read_text().splitlines()]


def assert_close(one: Path, other: Path):
    """Checkpoints have the same weights, but for the order of sums."""
    weights, theirs = (
        torch.load(path, weights_only=False)['state_dict']
        for path in (one, other)
    )
    for name, tensor in weights.items():
        torch.testing.assert_close(tensor, theirs[name], atol=1e-4, rtol=1e-4)
