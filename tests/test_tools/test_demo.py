"""What the driver of the demo plans; its steps run in test_side_by_side."""

import importlib.util
from pathlib import Path

import pytest
import torch

SOURCE = Path(__file__).parents[2] / 'tools/demo.py'


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """The module, working in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location('demo', SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_steps_are_weighed_in_seconds_and_logged(demo):
    step = demo.train_step('swin-2stage_digits', 0, 100.0)
    assert step.work == 100.0
    assert step.log == demo.OUT / 'logs/swin-2stage_digits_seed_0.txt'
    assert step.work_dir == demo.OUT / 'swin-2stage_digits_seed0'


def test_all_work_is_counted_ahead(demo):
    for training in demo.classification_steps() + demo.dense_steps():
        training.work_dir.mkdir(parents=True)
        torch.save({}, training.work_dir / 'epoch_1.pth')
    steps = [step for phase in demo.PHASES for step in phase()]
    assert sum(step.work for step in steps) == demo.ALL_WORK_S


def test_every_config_of_the_demo_exists(demo):
    steps = demo.classification_steps() + demo.dense_steps()
    assert len(steps) == 12
    for step in steps:
        assert (SOURCE.parents[1] / step.command[1]).exists()
    carried = [
        step.command[-1] for step in steps if 'backbone' in step.command[-1]
    ]
    assert len(carried) == 4
