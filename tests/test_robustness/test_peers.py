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
OPTIONS = (
    'train_cfg.max_epochs=10000',
    'custom_hooks=[{"type":"NoteHook"}]',
    'custom_imports.imports=[notes]',
    'train_dataloader.batch_size=2',
    'default_hooks.checkpoint.interval=5',
)


@pytest.mark.slow
@pytest.mark.parametrize('killed', [0, 1])
@pytest.mark.parametrize('launcher', ['dist_train.sh', 'torchrun'])
def test_the_other_ends_with_a_sentence(tmp_path, launcher, killed):
    config = write_config(tmp_path)
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
    training = subprocess.Popen(
        [*map(str, command), '--cfg-options', *OPTIONS],
        cwd=tmp_path,
        env=env,
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    work_dir = tmp_path / 'work_dirs/tiny'
    try:
        wait_for(work_dir / 'epoch_5.pth', training)
        processes = [
            int((work_dir / f'process_{rank}').read_text()) for rank in (0, 1)
        ]
        os.kill(processes[killed], signal.SIGKILL)
        said = training.communicate(timeout=60)[1]
    finally:
        training.kill()
    assert training.returncode != 0
    assert 'is gone' in said or 'was ended by SIGKILL' in said
    assert 'the last checkpoint is intact' in said.lower()
    ours = re.split('torch.distributed.elastic|ChildFailedError', said)[0]
    assert 'Traceback' not in (said if launcher == 'dist_train.sh' else ours)
    for process in processes:
        assert not Path(f'/proc/{process}/cmdline').exists()


def wait_for(path, training):
    end = time.monotonic() + 180
    while not path.exists():
        assert training.poll() is None and time.monotonic() < end
        time.sleep(0.1)
