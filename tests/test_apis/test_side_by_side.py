"""Steps with commands that take no time."""

import json

import pytest
import torch

from mmdrloc.apis import side_by_side
from mmdrloc.apis.side_by_side import SideBySide, Step
from mmdrloc.utils import console
from mmdrloc.utils.errors import Interrupted, UsageError


@pytest.fixture
def step(tmp_path):
    """Make a step that runs a line of Python."""

    def make(title, code, work=1.0):
        return Step(
            title,
            ['-c', code],
            work,
            tmp_path / f'logs/{title}.txt',
            tmp_path / title,
        )

    return make


def write_result(step, steps=(), **result):
    scalars = step.work_dir / '2026' / 'vis_data' / 'scalars.json'
    scalars.parent.mkdir(parents=True)
    lines = [dict(lr=1, step=step) for step in steps] + [dict(top1=9, step=1)]
    scalars.write_text('\n'.join(map(json.dumps, lines)))
    (step.work_dir / 'result.json').write_text(json.dumps(result))


def test_commands_run_and_are_printed_before(step, capsys):
    steps = [
        step(name, f'print("says {name}")') for name in ('one', 'two', 'three')
    ]
    SideBySide(2, 3.0).run(steps)
    for one in steps:
        assert one.log.read_text() == f'says {one.title}\n'
    printed = capsys.readouterr().out.splitlines()
    assert [line[0] for line in printed] == ['$'] * 3
    assert '-c \'print("says one")\'' in printed[0]


@pytest.mark.parametrize(
    'asked, threads', [('', '4'), ('1', '1'), ('16', '4'), ('4,2', '4')]
)
def test_cores_are_shared(step, monkeypatch, asked, threads):
    """And who has asked for fewer threads keeps them."""
    monkeypatch.setattr(side_by_side.os, 'cpu_count', lambda: 8)
    monkeypatch.setenv('OMP_NUM_THREADS', asked)
    one = step('one', 'import os; print(os.environ["OMP_NUM_THREADS"])')
    SideBySide(2, 1.0).run([one])
    assert one.log.read_text() == f'{threads}\n'


def test_a_failed_command_stops_the_others_and_shows_why(step, capsys):
    slow = step('slow', 'import time; time.sleep(60)')
    wrong = step('wrong', 'raise SystemExit("no luck")')
    runs = SideBySide(2, 2.0)
    with pytest.raises(UsageError, match='wrong failed.*logs/wrong.txt'):
        runs.run([slow, wrong])
    assert 'no luck' in capsys.readouterr().err
    assert runs.running[slow].wait(10) != 0


def test_an_interrupt_stops_all(step, monkeypatch):
    def interrupt(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(side_by_side.time, 'sleep', interrupt)
    slow = step('slow', 'import time; time.sleep(60)')
    runs = SideBySide(1, 1.0)
    with pytest.raises(Interrupted, match='the same command goes on'):
        runs.run([slow])
    assert runs.running[slow].poll() is not None


def test_finished_trainings_are_kept(step, capsys):
    finished = step('finished', 'print()', work=100.0)
    write_result(finished, finished=True)
    runs = SideBySide(1, 150.0)
    runs.run([finished])
    assert not finished.log.exists()
    assert capsys.readouterr().out.startswith('done before:')
    assert runs.work == 50.0


def test_progress_is_read_from_the_training(step):
    training = step('training', 'print()')
    assert training.progress() == 0.0
    write_result(training, (25, 50), updates=dict(done=0, planned=200))
    assert training.progress() == 0.25


@pytest.mark.parametrize(
    'flag,done_before,left',
    # 10 s passed. From scratch: 0.6 of 1 done, 10 * 0.4 / 0.6 are left.
    # Resumed at 0.5 of 1: 0.1 of 1 in 10 s, so 40 s are left.
    [('--overwrite', 0.0, '0:07 min'), ('--resume', 0.5, '0:40 min')],
)
def test_time_left_counts_what_was_done_now(step, flag, done_before, left):
    training = step('training', 'import sys; print(sys.argv[1:])')
    write_result(training, (50,), updates=dict(done=0, planned=100))
    if flag == '--resume':
        torch.save({}, training.work_dir / 'epoch_1.pth')
    runs = SideBySide(1, 1.0)
    runs.run([training])
    assert training.log.read_text() == f'{[flag]}\n'
    assert runs.done_before == done_before
    assert runs._left(0.6 + 1e-9, 10.0) == f'about {left} left'


def test_progress_is_shown(step, monkeypatch, capsys):
    monkeypatch.setattr(console, 'FIRST_S', 0.0)
    monkeypatch.setattr(console, 'PART', 0.0)
    slow = step('slow', 'import time; time.sleep(1.5)')
    write_result(slow, (50,), updates=dict(done=0, planned=100))
    SideBySide(1, 2.0, seconds_per_work=60.0).run([slow])
    first, *_, last = capsys.readouterr().out.splitlines()[1:]
    assert first.startswith('   25% done, 0:0') and 'left: slow 50%' in first
    assert last.startswith('   50% done, 0:0')


def test_time_left_before_much_was_seen():
    assert SideBySide(2, 100.0)._left(1.0, 5.0) == 'time left not known yet'
    known = SideBySide(2, 100.0, seconds_per_work=1.0)
    assert known._left(1.0, 5.0) == 'about 0:45 min left'
