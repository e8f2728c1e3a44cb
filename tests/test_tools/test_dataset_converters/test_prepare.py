"""The command line: one sentence and a status."""

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[3] / 'tools/dataset_converters/prepare.py'


def run(*args):
    return subprocess.run(
        [sys.executable, str(TOOL), *args], capture_output=True, text=True
    )


def test_missing_set(tmp_path):
    done = run('imagenet-1k', '--root', str(tmp_path), '--check-only')
    assert done.returncode == 1
    assert done.stderr.startswith('error: imagenet-1k is not in')
    assert 'image-net.org' in done.stderr
    assert 'Traceback' not in done.stderr


def test_unknown_set():
    done = run('mnist')
    assert done.returncode == 2
    assert "invalid choice: 'mnist'" in done.stderr
