"""One of two processes is killed: the other one ends, and says so."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import TOOLS
from tiny_run import write_config

from mmdrloc.checkpoints.saved import last_checkpoint

# Each process notes its number, and the first its steps.
NOTES = """
import os
from pathlib import Path
from mmengine.hooks import Hook
from mmengine.registry import HOOKS


@HOOKS.register_module(force=True)
class NoteHook(Hook):
    def after_train_iter(self, runner, *args, **kwargs):
        folder = Path(runner.work_dir)
        (folder / f'steps_{runner.rank}').write_text(str(runner.iter))
        (folder / f'process_{runner.rank}').write_text(str(os.getpid()))
"""
ENDLESS = """
_base_ = 'tiny.py'
custom_imports = dict(imports=['notes'])
custom_hooks = [dict(type='NoteHook')]
train_cfg = dict(max_epochs=10000)
train_dataloader = dict(batch_size=2)
default_hooks = dict(checkpoint=dict(type='CheckpointHook', interval=5))
"""


@pytest.mark.slow
@pytest.mark.parametrize('killed', [0, 1])
@pytest.mark.parametrize('launcher', ['dist_train.sh', 'torchrun'])
def test_the_other_ends_with_a_sentence(tmp_path, launcher, killed):
    write_config(tmp_path)
    config = tmp_path / 'endless.py'
    config.write_text(ENDLESS)
    (tmp_path / 'notes.py').write_text(NOTES)
    command = ['bash', str(TOOLS / 'dist_train.sh'), config, '2']
    if launcher == 'torchrun':
        command = [sys.executable, '-m', 'torch.distributed.run']
        command += ['--standalone', '--nproc_per_node=2', TOOLS / 'train.py']
        command += [config, '--launcher', 'pytorch']
    path = f'{tmp_path}:{TOOLS.parent}'
    env = dict(os.environ, PYTHONPATH=path, CUDA_VISIBLE_DEVICES='')
    env.update(
        OMP_NUM_THREADS='1',
        PATH=f'{Path(sys.executable).parent}:{os.environ["PATH"]}',
    )
    log = tmp_path / 'said.txt'
    with log.open('w') as file:
        training = subprocess.Popen(
            [*map(str, command)],
            cwd=tmp_path,
            env=env,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    work_dir = tmp_path / 'work_dirs/endless'
    try:
        wait_for(work_dir / 'epoch_5.pth', training, log)
        processes = [
            int((work_dir / f'process_{rank}').read_text()) for rank in (0, 1)
        ]
        os.kill(processes[killed], signal.SIGKILL)
        training.wait(60)
    finally:
        training.kill()
    said = log.read_text()
    assert training.returncode != 0
    ours = re.split('torch.distributed.elastic|ChildFailedError', said)[0]
    assert 'Traceback' not in ours
    assert last_checkpoint(work_dir) is not None
    for process in processes:
        assert not Path(f'/proc/{process}/cmdline').exists()


def wait_for(path, training, log):
    end = time.monotonic() + 180
    while not path.exists():
        assert training.poll() is None, log.read_text()
        assert time.monotonic() < end
        time.sleep(0.1)
