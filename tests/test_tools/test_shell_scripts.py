"""The shell scripts, with stand-ins for what they start."""

import os
import subprocess

import pytest
from command_line import TOOLS


def stand_in(path, body):
    path.write_text(f'#!/usr/bin/env bash\n{body}\n')
    path.chmod(0o755)
    return path


def bash(script, *line, cwd, **env):
    return subprocess.run(
        ['bash', str(script), *map(str, line)],
        cwd=cwd,
        env={**os.environ, **env},
        text=True,
        capture_output=True,
    )


@pytest.fixture
def slurm(tmp_path):
    stand_in(tmp_path / 'srun', 'printf "%s\\n" "$@"')
    path = f'{tmp_path}:{os.environ["PATH"]}'

    def call(*line, **env):
        return bash(
            TOOLS / 'slurm_train.sh', *line, cwd=tmp_path, PATH=path, **env
        )

    return call


def test_slurm_job(slurm):
    outcome = slurm(
        *('part', 'name', 'a b.py', 'work', '--amp', '--dataset', 'svhn'),
        *('--weights', 'w.pth'),
        GPUS='16',
        SRUN_ARGS='--time=60 --qos=low',
    )
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.splitlines() == [
        '--partition=part',
        '--job-name=name',
        '--ntasks=16',
        '--cpus-per-task=5',
        '--gres=gpu:8',
        '--ntasks-per-node=8',
        '--time=60',
        '--qos=low',
        '--kill-on-bad-exit=1',
        'python',
        '-u',
        str(TOOLS / 'train.py'),
        'a b.py',
        *('--work-dir', 'work', '--launcher', 'slurm', '--amp'),
        *('--dataset', 'svhn', '--weights', 'w.pth'),
    ]


def test_slurm_job_that_comes_again(slurm, tmp_path):
    """The batch job is this script again, with the same words."""
    stand_in(
        tmp_path / 'sbatch',
        'printf "%s\\n" "$@"; SLURM_JOB_ID=7 exec bash -s',
    )
    line = ('part', 'name', "a 'b'.py", 'work', '--dataset', 'my photos')
    env = dict(REQUEUE='90', GPUS='2', SRUN_ARGS='--time=60')
    batch, step = slurm(*line, **env).stdout.split('--output=')
    asked = [
        *('--partition=part', '--job-name=name', '--ntasks=2'),
        *('--cpus-per-task=5', '--gres=gpu:2', '--ntasks-per-node=2'),
        '--time=60',
    ]
    assert batch.splitlines() == [
        *(*asked, '--requeue', '--signal=B:USR1@90', '--open-mode=append')
    ]
    output, *step = step.splitlines()
    assert output == 'work/slurm-%j.log'
    assert step == [
        *(*asked, '--kill-on-bad-exit=1', 'python', '-u'),
        *(str(TOOLS / 'train.py'), "a 'b'.py", '--work-dir', 'work'),
        *('--launcher', 'slurm', '--dataset', 'my photos'),
    ]


def test_restarts_are_for_one_machine(tmp_path):
    outcome = bash(
        *(TOOLS / 'dist_train.sh', 'config.py', 2),
        cwd=tmp_path,
        NNODES='2',
        MAX_RESTARTS='1',
    )
    assert outcome.returncode == 2
    assert outcome.stderr.startswith('error: MAX_RESTARTS is for one machine')
