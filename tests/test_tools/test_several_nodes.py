"""Two machines, played by two launchers on this one."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import TOOLS
from tiny_run import write_config


@pytest.mark.slow
def test_two_nodes(tmp_path):
    config = write_config(tmp_path)
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    path = f'{Path(sys.executable).parent}:{os.environ["PATH"]}'
    nodes = [
        subprocess.Popen(
            [
                *('bash', str(TOOLS / 'dist_train.sh'), str(config), '1'),
                *('--cfg-options', 'train_cfg.max_epochs=1'),
            ],
            cwd=tmp_path,
            env=dict(
                os.environ,
                PATH=path,
                CUDA_VISIBLE_DEVICES='',
                NNODES='2',
                NODE_RANK=str(rank),
                MASTER_ADDR='127.0.0.1',
                PORT=str(port),
            ),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for rank in range(2)
    ]
    for node in nodes:
        said, _ = node.communicate(timeout=300)
        assert node.returncode == 0, said
    result = json.loads((tmp_path / 'work_dirs/tiny/result.json').read_text())
    assert result['finished'] and result['global_batch'] == 8
