"""What is wrong with a line for several processes is said once."""

import os
import socket
import subprocess
import sys

import pytest
from command_line import TOOLS, environment, run


def said(tmp_path, *line, **env):
    done = subprocess.run(
        ['bash', TOOLS / 'dist_train.sh', *line],
        cwd=tmp_path,
        env=environment(**env),
        text=True,
        capture_output=True,
    )
    assert done.returncode in (1, 2)
    assert 'Traceback' not in done.stderr
    assert done.stderr.count('error: ') == 1
    assert 'elastic' not in done.stderr
    assert not os.listdir(tmp_path)
    return done.stderr


@pytest.mark.parametrize('number', ['--amp', 'config.py', '0', 'gpu'])
def test_no_number_of_processes(tmp_path, number):
    line = 'quickstart/swin-2stage', number, '--amp'
    assert f'PROCESSES is a number from 1, and not {number}' in said(
        tmp_path, *line
    )


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(('', 0))
        taken.listen()
        line, port = ('quickstart/swin-2stage', '2'), taken.getsockname()[1]
        assert 'Set PORT to a port that is free' in said(
            tmp_path, *line, PORT=port
        )


@pytest.mark.parametrize(
    'line,word',
    [
        (('none.py', '2'), 'none.py'),
        (('quickstart/swin-2stage', '2', '--work-dirs', 'w'), '--work-dir?'),
    ],
)
def test_words_that_no_process_understands(tmp_path, line, word):
    assert word in said(tmp_path, *line)


def test_what_the_processes_refuse(tmp_path):
    """Torchrun's own log would tell of their exit statuses after it."""
    assert 'data/digits' in said(tmp_path, 'quickstart/swin-2stage', '2')


@pytest.mark.parametrize(
    'tool, word', [('train', 'quickstart/swin-2stage'), ('test', '.')]
)
def test_torchrun_without_a_launcher(tmp_path, tool, word):
    """Each would train alone, and find the others in its work directory."""
    torchrun = ['-m', 'torch.distributed.run', '--standalone']
    done = run(
        f'{tool}.py',
        word,
        cwd=tmp_path,
        command=(sys.executable, *torchrun, '--nproc_per_node=2'),
    )
    assert done.returncode == 1
    assert 'processes of torchrun need --launcher pytorch' in done.stderr
    assert not os.listdir(tmp_path)
