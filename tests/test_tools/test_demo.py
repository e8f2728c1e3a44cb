"""What the driver of the demo plans."""

import importlib.util
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / 'tools/demo.py'


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """The module, working in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location('demo', SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_backbone_comes_from_the_folder_of_its_training(demo):
    plan = demo.Plan(True)
    trained = {training.folder for training in plan.classifiers}
    for training in plan.dense:
        words = training.step().words
        if training.start is None:
            assert '--weights' not in words
            continue
        assert Path(words[words.index('--weights') + 1]) in trained
        assert training.start.seed == training.seed
