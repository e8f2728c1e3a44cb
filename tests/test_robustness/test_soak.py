"""Two thousand updates: memory and handles stay as they are."""

import os
from pathlib import Path

import pytest
from in_children import run, said
from interrupted import DRAWING
from mmengine.hooks import Hook
from mmengine.registry import HOOKS
from tiny_run import write_config

UPDATES = 2000
WARM = 800
# A leak of 8 KiB an update is more.
MOST_GROWTH_MIB = 8
MORE = f"""
train_cfg = dict(by_epoch=False, max_iters={UPDATES}, val_interval=200)
train_dataloader.update(num_workers=2, persistent_workers=True)
train_dataloader['sampler'] = dict(type='InfiniteSampler')
default_hooks.update(
    logger=dict(type='LoggerHook', interval=50),
    checkpoint=dict(type='CheckpointHook', interval=200, by_epoch=False))
log_processor = dict(by_epoch=False)
custom_hooks = [dict(type='SampleHook')]
"""


@HOOKS.register_module()
class SampleHook(Hook):
    """Writes what a process and its workers hold, every hundred updates."""

    def after_train_iter(self, runner, *args, **kwargs):
        if self.every_n_train_iters(runner, 100):
            memory, handles = held()
            with open('held.txt', 'a') as file:
                file.write(f'{runner.iter + 1} {memory} {handles}\n')


def held():
    """Resident MiB, and open handles, of this process and its children."""
    children = Path('/proc/self/task')
    listed = [(p / 'children').read_text() for p in children.iterdir()]
    numbers = [os.getpid(), *map(int, ' '.join(listed).split())]
    memory = handles = 0
    for number in numbers:
        place = Path(f'/proc/{number}')
        lines = (place / 'status').read_text().splitlines()
        [line] = [line for line in lines if line.startswith('VmRSS')]
        memory += int(line.split()[1]) / 1024
        handles += len(list((place / 'fd').iterdir()))
    return memory, handles


def grown(samples):
    """By how much the later samples are above those after the warm-up."""
    middle = len(samples) // 2
    return max(samples[middle:]) - max(samples[:middle])


@pytest.mark.slow
@pytest.mark.skipif(not Path('/proc/self/fd').exists(), reason='no /proc')
def test_memory_and_handles_are_flat(tmp_path):
    text = write_config(tmp_path).read_text()
    (tmp_path / 'long.py').write_text(text + DRAWING + MORE)
    assert run('train.py', 'long.py', cwd=tmp_path) == 0, said(tmp_path)
    lines = (tmp_path / 'held.txt').read_text().splitlines()
    rows = [list(map(float, line.split())) for line in lines]
    assert rows[-1][0] == UPDATES
    warm = [row for row in rows if row[0] > WARM]
    assert grown([memory for _, memory, _ in warm]) < MOST_GROWTH_MIB, warm
    assert grown([handles for *_, handles in warm]) <= 0, warm


def test_growth_is_seen():
    flat = [100, 104, 101, 103, 104, 102]
    assert grown(flat) <= 0
    leak = [100 + 0.8 * i for i in range(12)]  # 8 KiB an update
    assert grown([*leak]) > 4
