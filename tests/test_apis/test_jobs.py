"""Commands that run beside each other."""

import os
import signal
import subprocess
import sys
import time

import pytest

PARENT = """
import sys
from pathlib import Path
from mmdrloc.apis.jobs import Job, run_jobs

folder = Path(sys.argv[1])
words = ('-c', sys.argv[2], str(folder))
run_jobs([Job('one', words, folder / 'log.txt')])
"""
CHILD = """
import signal, sys, time
from pathlib import Path

folder = Path(sys.argv[1])

def end(*_):
    (folder / 'ended').touch()
    sys.exit()

signal.signal(signal.SIGTERM, end)
(folder / 'begun').touch()
time.sleep(60)
"""


def wait_for(path, seconds=60):
    """Wait until a file is there."""
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f'{path} did not appear'
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != 'linux', reason='a service of Linux')
def test_jobs_end_when_the_process_that_runs_them_is_killed(tmp_path):
    """A training that went on alone would meet the one begun again."""
    parent = subprocess.Popen(
        [sys.executable, '-c', PARENT, str(tmp_path), CHILD],
        env=dict(os.environ),
    )
    wait_for(tmp_path / 'begun')
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    wait_for(tmp_path / 'ended', 20)
