"""Commands of the page about curves: what they set is built, and written."""

import re
import shlex
from pathlib import Path

import pytest
from command_line import run
from mmengine.registry import VISUALIZERS
from mmengine.visualization import vis_backend
from tensorboard.backend.event_processing.event_accumulator import (
    EventAccumulator,
)
from tiny_run import write_config

from mmdrloc.apis.cli import read_options
from mmdrloc.apis.running import load_config

PAGE = Path(__file__).parents[2] / 'docs/tools.md'
# The options of each backend, as a shell hands them over.
OPTIONS = {
    re.findall(r'(\w+)VisBackend', line)[-1]: shlex.split(line)
    for line in re.findall(r'visualizer\.vis_backends=.*', PAGE.read_text())
}


@pytest.fixture
def config(tmp_path):
    config = write_config(tmp_path)
    with config.open('a') as file:
        file.write(
            "visualizer = dict(type='mmpretrain.UniversalVisualizer')\n"
        )
    return config


def test_tensorboard_is_written(config, tmp_path):
    line = ['--work-dir', 'work', '--cfg-options', *OPTIONS['Tensorboard']]
    done = run('train.py', config, *line, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [events] = (tmp_path / 'work').rglob('events.out.tfevents*')
    curves = EventAccumulator(str(events))
    curves.Reload()
    # Two epochs of three iterations, and a validation after each.
    assert [one.step for one in curves.Scalars('loss')] == [1, 2, 3, 4, 5, 6]
    assert len(curves.Scalars('accuracy/top1')) == 2


@pytest.mark.parametrize(
    'name, given',
    [
        ('Wandb', dict(_init_kwargs=dict(project='drloc'))),
        ('MLflow', dict(_exp_name='drloc')),
    ],
)
def test_others_are_built(config, tmp_path, name, given):
    options = read_options(OPTIONS[name])
    cfg = load_config(config, None, options, tmp_path)
    place = dict(name=f'{tmp_path}', save_dir=f'{tmp_path}')
    visualizer = VISUALIZERS.build(dict(cfg.visualizer, **place))
    built = visualizer.get_backend(f'{name}VisBackend')
    assert type(built) is getattr(vis_backend, f'{name}VisBackend')
    assert given.items() <= vars(built).items()
