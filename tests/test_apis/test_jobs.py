"""Commands that run beside each other, stopped as a command is."""

import json
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest
from tiny_run import write_config

from mmdrloc.apis.jobs import Job, run_jobs, training_job
from mmdrloc.apis.running import load_config, session
from mmdrloc.engine.run_folder.record import record_of
from mmdrloc.utils.distributed import launched
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence

FORK = multiprocessing.get_context('fork')
CHILD = """
import signal, sys, time
from pathlib import Path

folder, name = Path(sys.argv[1]), sys.argv[2]

def end(*_):
    (folder / f'{name}_ended').touch()
    sys.exit()

signal.signal(signal.SIGTERM, end)
(folder / f'{name}_begun').touch()
time.sleep(60)
"""


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_config(tmp_path).name


def job(folder, name, code=CHILD):
    return Job(name, ('-c', code, str(folder), name), folder / f'{name}.txt')


def run(folder):
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored under nohup
    with usage_errors_in_one_sentence(), session():
        run_jobs([job(folder, name) for name in ('a', 'b', 'c')], 2)


def wait_for(path: Path, seconds: float = 60) -> None:
    """Wait until a file is there."""
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f'{path} did not appear'
        time.sleep(0.05)


@pytest.mark.parametrize('name', ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'])
def test_jobs_end_with_the_process_that_runs_them(tmp_path, name, capfd):
    """A training that went on alone would meet the one begun again."""
    parent = FORK.Process(target=run, args=(tmp_path,))
    parent.start()
    for one in 'ab':
        wait_for(tmp_path / f'{one}_begun')
    signum = getattr(signal, name)
    os.kill(parent.pid, signum)
    for one in 'ab':
        wait_for(tmp_path / f'{one}_ended', 10)
    parent.join(10)
    is_killed = signum == signal.SIGKILL
    assert parent.exitcode == (-signum if is_killed else 128 + signum)
    assert not (tmp_path / 'c_begun').exists()
    said = capfd.readouterr().err
    assert is_killed or f'ended by {name}; run the same command' in said


def test_what_follows_them_can_be_stopped(tmp_path):
    """As the report of a comparison, which is drawn within the session."""
    with session(), pytest.raises(KeyboardInterrupt):
        run_jobs([job(tmp_path, 'a', 'pass')])
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)


def test_one_that_fails_ends_the_others(tmp_path, capfd):
    wrong = (
        'import os, sys, time\n'
        'while not os.path.exists(sys.argv[1] + "/a_begun"):\n'
        '    time.sleep(0.1)\n'
        'sys.exit("it cannot work")'
    )
    with pytest.raises(UsageError, match='b failed'):
        run_jobs([job(tmp_path, 'a'), job(tmp_path, 'b', wrong)], 2)
    assert (tmp_path / 'a_ended').exists()
    assert 'it cannot work' in capfd.readouterr().err


def test_several_at_a_time_take_turns_on_the_gpus(tmp_path, monkeypatch):
    monkeypatch.setenv('CUDA_VISIBLE_DEVICES', '3,5')
    tell = 'import os; print(os.environ["CUDA_VISIBLE_DEVICES"])'
    jobs = [job(tmp_path, name, tell) for name in 'abcd']
    for workers, expected in ((1, {'3,5'}), (2, {'3', '5'}), (4, {'3', '5'})):
        run_jobs(jobs, workers)
        said = [one.log.read_text().strip() for one in jobs]
        assert {*said} == expected
        if workers > 1:
            assert said.count('3') == 2


def test_threads(tmp_path, monkeypatch):
    monkeypatch.delenv('OMP_NUM_THREADS', raising=False)
    monkeypatch.setattr(os, 'sched_getaffinity', lambda _: {*range(8)})
    code = 'import os; print(os.environ["OMP_NUM_THREADS"])'
    (tmp_path / 'tell.py').write_text(code)
    words = (str(tmp_path / 'tell.py'),)
    for processes, workers, threads in ((1, 1, 8), (1, 4, 2), (2, 1, 1)):
        one = Job('a', (*launched(words, processes),), tmp_path / 'a.txt')
        run_jobs([one], workers)
        said = one.log.read_text().splitlines()
        assert [line for line in said if line.isdigit()] == (
            [str(threads)] * processes
        )


def test_a_shorter_training_without_checkpoints_is_not_taken(config):
    cfg = load_config(config)
    place = Path('work/tiny_seed0')
    assert training_job(cfg, None, place)
    place.mkdir()
    (place / 'run_record.json').write_text(json.dumps(record_of(cfg)))
    (place / 'result.json').write_text('{"finished": true}')
    assert training_job(cfg, None, place) is None
    cfg.train_cfg.max_epochs += 1
    with pytest.raises(UsageError, match='checkpoints are gone'):
        training_job(cfg, None, place)
