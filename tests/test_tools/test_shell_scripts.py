"""slurm_train.sh, with a stand-in for srun."""

import os
import subprocess

from command_line import TOOLS


def test_slurm_job(tmp_path):
    srun = tmp_path / 'srun'
    srun.write_text('#!/usr/bin/env bash\nprintf "%s\\n" "$@"\n')
    srun.chmod(0o755)
    words = ['part', 'name', 'a b.py', 'work', '--amp', '--dataset', 'svhn']
    outcome = subprocess.run(
        ['bash', TOOLS / 'slurm_train.sh', *words, '--weights', 'w.pth'],
        env={
            **os.environ,
            'PATH': f'{tmp_path}:{os.environ["PATH"]}',
            'GPUS': '16',
            'SRUN_ARGS': '--time=60 --qos=low',
        },
        text=True,
        capture_output=True,
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
