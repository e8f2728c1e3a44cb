"""What a model starts from fits it, or is said; see also test_tools."""

import logging
from types import SimpleNamespace

import pytest
import torch
from mmengine.model import BaseModule
from tiny_run import BuiltLoop, build_runner, write_config
from torch import nn

from mmdrloc.engine import WeightsCheckHook
from mmdrloc.errors import UsageError

CHECK = dict(weights_check=dict(type='mmdrloc.WeightsCheckHook'))


class Part(BaseModule):
    """A part of a model that starts from a file."""

    def __init__(self, path, **entry):
        super().__init__(
            dict(type='mmengine.Pretrained', checkpoint=str(path), **entry)
        )
        self.fc = nn.Linear(2, 2)
        self.norm = nn.LayerNorm(2)


def start(tmp_path, weights, **entry):
    torch.save(dict(state_dict=weights), tmp_path / 'a.pth')
    model = nn.Module()
    model.part = Part(tmp_path / 'a.pth', **entry)
    runner = SimpleNamespace(
        model=model,
        _train_loop=BuiltLoop(),
        hooks=[],
        logger=logging.getLogger('weights'),
    )
    WeightsCheckHook().before_run(runner)


FC = {'fc.weight': torch.ones(2, 2), 'fc.bias': torch.ones(2)}


@pytest.mark.parametrize('prefix', [None, 'net.', 'net'])
def test_what_does_not_come_is_said(tmp_path, caplog, prefix):
    place = 'net.' if prefix else ''
    weights = {f'{place}{name}': value for name, value in FC.items()}
    with caplog.at_level(logging.WARNING):
        start(tmp_path, dict(weights, head=torch.ones(1)), prefix=prefix)
    assert 'model.part starts from' in caplog.text
    assert '2 MISSING: norm.weight, norm.bias' in caplog.text


def test_nothing_comes(tmp_path):
    with pytest.raises(UsageError, match='nothing of .* fits model.part'):
        start(tmp_path, {f'x.{name}': value for name, value in FC.items()})


def test_other_shape(tmp_path):
    with pytest.raises(UsageError, match='1 of another shape: fc.bias'):
        start(tmp_path, dict(FC, **{'fc.bias': torch.ones(3)}))


def test_values_that_are_no_numbers(tmp_path):
    with pytest.raises(UsageError, match='NaN or infinity in fc.bias'):
        start(tmp_path, dict(FC, **{'fc.bias': torch.full((2,), torch.nan)}))


def test_averaged_weights(tmp_path):
    """They are tested, resumed, and missed where there are none."""
    config = write_config(tmp_path)
    options = dict(
        custom_hooks=[dict(type='EMAHook')],
        default_hooks=CHECK,
        train_cfg__max_epochs=1,
    )
    build_runner(config, **options, experiment_name='first').train()
    path = str(tmp_path / 'work/epoch_1.pth')
    options.update(resume=True, load_from=path, train_cfg__max_epochs=2)
    build_runner(config, **options, experiment_name='second').train()
    options.update(custom_hooks=[])
    with pytest.raises(UsageError, match='it has averaged weights'):
        build_runner(config, **options, experiment_name='third').train()
    options.update(resume=False)
    build_runner(config, **options, experiment_name='fourth').test()
