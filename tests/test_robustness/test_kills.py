"""Killed at any moment, resumed: the same weights as never killed."""

import os
import random
import signal
import subprocess
import time

import pytest
import torch
from in_children import run, said, start
from interrupted import DRAWING, assert_equal
from tiny_run import write_config

from mmdrloc.checkpoints.saved import last_checkpoint

LAST = 'work_dirs/drawing/epoch_4.pth'
MORE = """
train_cfg = dict(by_epoch=True, max_epochs=4)
train_dataloader['num_workers'] = 1
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope='module')
def whole(tmp_path_factory):
    """A folder with data, a config and a training that nobody disturbed."""
    folder = tmp_path_factory.mktemp('whole')
    write_drawing(folder)
    assert run('train.py', 'drawing.py', cwd=folder) == 0
    return folder


def write_drawing(folder):
    text = write_config(folder).read_text()
    (folder / 'drawing.py').write_text(text + DRAWING + MORE)


def begun(whole, tmp_path):
    """The same training, about to begin elsewhere."""
    for name in ('data', 'drawing.py'):
        (tmp_path / name).symlink_to(whole / name)
    return tmp_path


def go_on(folder):
    """What a user types after a kill."""
    work_dir = folder / 'work_dirs/drawing'
    if last_checkpoint(work_dir) is None:
        return ['drawing.py', '--overwrite']
    return ['drawing.py', '--resume']


def assert_as_whole(folder, whole):
    parts = [
        torch.load(place / LAST, weights_only=False)
        for place in (folder, whole)
    ]
    for name in ('state_dict', 'optimizer'):
        assert_equal(parts[0][name], parts[1][name])
    assert 'Traceback' not in said(folder)


def kill_at(number, before):
    """Kill this process when it gives a file its name."""
    replace = os.replace
    count = 0

    def killing(source, target):
        nonlocal count
        count += 1
        if before and count == number:
            os.kill(os.getpid(), signal.SIGKILL)
        replace(source, target)
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    os.replace = killing


@pytest.mark.parametrize('before', [True, False], ids=['before', 'after'])
def test_killed_while_saving(whole, tmp_path, before):
    """At each of the first ten files, on its way to a whole training."""
    folder = begun(whole, tmp_path)
    for number in range(1, 11):
        status = run(
            'train.py',
            *go_on(folder),
            cwd=folder,
            first=lambda number=number: kill_at(number, before),
        )
        if status == 0:
            break
        assert status == -signal.SIGKILL
    else:
        assert run('train.py', *go_on(folder), cwd=folder) == 0
    assert_as_whole(folder, whole)


def test_killed_at_random_moments(whole, tmp_path):
    folder = begun(whole, tmp_path)
    chance = random.Random(0)
    for _ in range(6):
        process = start('train.py', *go_on(folder), cwd=folder)
        time.sleep(chance.uniform(0.5, 5))
        os.killpg(process.pid, signal.SIGKILL)
        process.join()
    while not (folder / LAST).exists():
        assert run('train.py', *go_on(folder), cwd=folder) == 0
    assert_as_whole(folder, whole)


@pytest.fixture
def small_disk(tmp_path):
    """A disk with room for two checkpoints and a half, made larger by name."""
    place = tmp_path / 'disk'
    place.mkdir()

    def mount(options):
        command = ['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', place]
        return subprocess.run(command, capture_output=True).returncode == 0

    if not mount('size=1'):
        pytest.skip('only root can mount a small disk')
    yield place, lambda size: mount(f'remount,size={size}')
    subprocess.run(['umount', '-l', place], check=True)


def test_a_full_disk(whole, tmp_path, small_disk):
    folder = begun(whole, tmp_path)
    disk, resize = small_disk
    size = (whole / LAST).stat().st_size
    assert resize(int(2.7 * size))
    (folder / 'work_dirs').symlink_to(disk)
    assert run('train.py', 'drawing.py', cwd=folder) == 1
    last = said(folder).strip().splitlines()[-1]
    assert last.startswith('error:') and 'space' in last
    # What was complete before is intact.
    complete = last_checkpoint(disk / 'drawing')
    assert complete is not None
    assert torch.load(complete, weights_only=False)['meta']['epoch'] >= 1
    assert resize(100 * size)
    assert run('train.py', 'drawing.py', '--resume', cwd=folder) == 0
    assert_as_whole(folder, whole)
