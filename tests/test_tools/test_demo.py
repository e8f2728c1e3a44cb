"""The driver of the demo, with commands that take no time."""

import importlib.util
import json
from pathlib import Path

import pytest

from mmdrloc.errors import UsageError

SOURCE = Path(__file__).parents[2] / 'tools/demo.py'


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """The module, working in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location('demo', SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (module.OUT / 'logs').mkdir(parents=True)
    return module


def write_result(step, **result):
    step.work_dir.mkdir(parents=True)
    (step.work_dir / 'result.json').write_text(json.dumps(result))


def test_commands_run_and_are_printed_before(demo, capsys):
    steps = [
        demo.Step(name, ['-c', f'print("says {name}")'], 1.0)
        for name in ('one', 'two', 'three')
    ]
    demo.Demo().run(steps)
    for step in steps:
        assert step.log.read_text() == f'says {step.title}\n'
    printed = capsys.readouterr().out.splitlines()
    assert [line[0] for line in printed] == ['$'] * 3
    assert '-c \'print("says one")\'' in printed[0]


def test_a_failed_command_stops_the_demo_and_shows_why(demo, capsys):
    slow = demo.Step('slow', ['-c', 'import time; time.sleep(60)'], 1.0)
    wrong = demo.Step('wrong', ['-c', 'raise SystemExit("no luck")'], 1.0)
    runs = demo.Demo()
    runs.workers = 2
    with pytest.raises(UsageError, match='wrong failed.*logs/wrong.txt'):
        runs.run([slow, wrong])
    assert 'no luck' in capsys.readouterr().err
    assert runs.running[slow].wait(10) != 0


def test_finished_trainings_are_kept(demo, capsys):
    step = demo.train_step('swin-2stage_digits', 0, 100.0)
    write_result(step, finished=True)
    runs = demo.Demo()
    runs.run([step])
    assert not step.log.exists()
    assert capsys.readouterr().out.startswith('done before:')
    assert runs.work_s == demo.ALL_WORK_S - 100.0


def test_progress_is_read_from_the_training(demo):
    step = demo.train_step('swin-2stage_digits', 0, 100.0)
    assert step.progress() == 0.0
    write_result(step, finished=False, updates=dict(done=0, planned=200))
    scalars = step.work_dir / '2026' / 'vis_data' / 'scalars.json'
    scalars.parent.mkdir(parents=True)
    lines = [dict(lr=1, step=25), dict(lr=1, step=50), dict(top1=9, step=1)]
    scalars.write_text('\n'.join(map(json.dumps, lines)))
    assert step.progress() == 0.25


def test_every_config_of_the_demo_exists(demo):
    steps = demo.classification_steps() + demo.dense_steps()
    assert len(steps) == 12
    for step in steps:
        assert (SOURCE.parents[1] / step.command[1]).exists()
    carried = [
        step.command[-1] for step in steps if 'backbone' in step.command[-1]
    ]
    assert len(carried) == 4
