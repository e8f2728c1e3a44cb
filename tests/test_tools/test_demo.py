"""What the driver of the demo plans; its steps run in test_side_by_side."""

import importlib.util
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / 'tools/demo.py'
CONFIGS = SOURCE.parents[1] / 'configs/quickstart'


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """The module, working in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location('demo', SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize('full,trainings', [(False, 6), (True, 24)])
def test_what_is_trained(demo, full, trainings):
    plan = demo.Plan(full)
    steps = [t.step() for t in [*plan.classifiers, *plan.dense]]
    assert len({step.work_dir for step in steps}) == trainings
    for step in steps:
        assert (SOURCE.parents[1] / step.command[1]).is_file()
        assert str(step.work_dir) in step.command


def test_a_backbone_comes_from_the_folder_of_its_training(demo):
    plan = demo.Plan(True)
    trained = {training.folder for training in plan.classifiers}
    for training in plan.dense:
        words = training.step().command
        if training.start is None:
            assert '--weights' not in words
            continue
        assert Path(words[words.index('--weights') + 1]) in trained
        assert training.start.seed == training.seed


class Recorded:
    """Stands in for SideBySide: notes the work, and runs nothing."""

    def __init__(self, workers, work, seconds_per_work):
        self.work, self.start, self.steps = work, 0.0, []

    def run(self, steps):
        self.steps += steps


@pytest.mark.parametrize('full', [False, True])
def test_all_work_is_counted_ahead(demo, monkeypatch, full, capsys):
    made = []
    monkeypatch.setattr(
        demo,
        'SideBySide',
        lambda *a, **k: made.append(Recorded(*a, **k)) or made[0],
    )
    monkeypatch.setattr(demo, 'show_table', lambda trainings: print('table'))
    monkeypatch.setattr(demo, 'story', lambda plan: ['what was seen'])
    monkeypatch.setattr(demo, 'last_checkpoint', lambda folder: folder / 'a')
    demo.run(demo.Plan(full))
    assert sum(step.work for step in made[0].steps) == made[0].work
    said = capsys.readouterr().out
    # A first table before anything is carried, and the place of the page.
    assert said.count('table') == 2
    assert said.index('what was seen') < said.index(str(demo.REPORT.resolve()))
    reports = [s for s in made[0].steps if s.title == 'report']
    carried = [s for s in made[0].steps if '--weights' in s.command]
    order = made[0].steps.index
    assert order(reports[0]) < order(carried[0]) < order(reports[1])
