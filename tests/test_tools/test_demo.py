"""The demo, as it stands; and it ends where one of its commands fails."""

import os
import shutil
import signal
import sys
import time

import pytest
from command_line import ROOT, Program


@pytest.fixture
def checkout(tmp_path):
    """A copy to write in."""
    for name in ('configs', 'tools'):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.slow
def test_it_comes_to_its_end(checkout):
    program = Program(checkout, sys.executable, 'tools/demo.py')
    assert program.wait(3600) == 0, program.output()
    assert 'Traceback' not in program.output()
    out = checkout / 'work_dirs/demo'
    page = (out / 'report.html').read_text()
    for word in ('upernet_swin-2stage', 'swin-2stage_drloc', 'data:image'):
        assert word in page
    assert len(list(out.glob('upernet*/*_seed?/iter_300.pth'))) == 10


@pytest.mark.slow
@pytest.mark.parametrize('signum', [signal.SIGINT, signal.SIGTERM])
def test_stopped_in_a_training(checkout, signum):
    """By Ctrl-C in a terminal, or by a signal to the demo alone."""
    program = Program(checkout, sys.executable, 'tools/demo.py')
    record = checkout / 'work_dirs/demo/swin-2stage_drloc/run_record.json'
    program.wait_for(record.exists)
    time.sleep(1)  # the first iterations
    try:
        kill = os.killpg if signum == signal.SIGINT else os.kill
        kill(program.process.pid, signum)
        assert program.wait(30) == 130, program.output()
        assert 'Traceback' not in program.output()
        assert 'run the same command to resume' in program.output()
        assert not program.left_behind()
    finally:
        program.kill()


def test_it_ends_where_a_command_fails(checkout):
    (checkout / 'data').write_text('no folder')
    program = Program(checkout, sys.executable, 'tools/demo.py')
    assert program.wait() == 1
    said = program.output()
    assert said.count('error:') == 1 and 'train.py' not in said, said
    assert not (checkout / 'work_dirs').exists()
