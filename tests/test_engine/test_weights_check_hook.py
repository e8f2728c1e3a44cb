"""What a model starts from fits it, or is said; see also test_tools."""

import copy
import logging
from types import SimpleNamespace

import pytest
import torch
from mmengine.model import BaseModule, MMDistributedDataParallel
from tiny_run import BuiltLoop, build_runner, write_config
from torch import nn

from mmdrloc.engine.hooks import WeightsCheckHook
from mmdrloc.utils.errors import UsageError

CHECK = dict(weights_check=dict(type='mmdrloc.WeightsCheckHook'))


class Part(BaseModule):
    """A part of a model that starts from a file."""

    def __init__(self, path, **entry):
        super().__init__(
            dict(type='mmengine.Pretrained', checkpoint=str(path), **entry)
        )
        self.fc = nn.Linear(2, 2)
        self.norm = nn.LayerNorm(2)


class Other(nn.Module):
    """A model around a part."""

    def __init__(self, part):
        super().__init__()
        self.part = part


def start(tmp_path, weights, **entry):
    torch.save(dict(state_dict=weights), tmp_path / 'a.pth')
    return begin(Part(tmp_path / 'a.pth', **entry))


def begin(part, iteration=0, **options):
    """Do what a training does before its first iteration."""
    runner = SimpleNamespace(
        model=Other(part),
        _train_loop=BuiltLoop(),
        hooks=[],
        iter=iteration,
        logger=logging.getLogger('weights'),
    )
    hook = WeightsCheckHook(**options)
    hook.before_run(runner)
    part.init_weights()
    hook.before_train(runner)
    return part


FC = {'fc.weight': torch.ones(2, 2), 'fc.bias': torch.ones(2)}


@pytest.mark.parametrize('prefix', [None, 'net.', 'net'])
def test_what_does_not_come_is_said(tmp_path, caplog, prefix):
    place = 'net.' if prefix else ''
    weights = {f'{place}{name}': value for name, value in FC.items()}
    with caplog.at_level(logging.INFO):
        start(tmp_path, dict(weights, head=torch.ones(1)), prefix=prefix)
    assert 'model.part starts from' in caplog.text
    assert '2 tensors loaded' in caplog.text
    assert '2 expected to be missing: norm.weight, norm.bias' in caplog.text


def test_nothing_comes(tmp_path):
    with pytest.raises(UsageError, match='nothing of .* fits model.part'):
        start(tmp_path, {f'x.{name}': value for name, value in FC.items()})


def test_no_tensor_has_the_prefix(tmp_path):
    with pytest.raises(UsageError, match='net. is not in the pretrained'):
        start(tmp_path, FC, prefix='net.')


def test_no_file_is_named():
    with pytest.raises(UsageError, match='model.part starts from weights, '):
        begin(Part(''))


def test_other_shape(tmp_path):
    with pytest.raises(UsageError, match='1 of another shape: fc.bias'):
        start(tmp_path, dict(FC, **{'fc.bias': torch.ones(3)}))


@pytest.mark.parametrize('name', FC)
def test_one_tensor_is_missing(tmp_path, name):
    weights = {k: v for k, v in FC.items() if k != name}
    weights['norm.weight'] = weights['norm.bias'] = torch.ones(2)
    with pytest.raises(UsageError, match=f'1 missing .*: {name}'):
        start(tmp_path, weights)
    torch.save(weights, tmp_path / 'a.pth')
    begin(Part(tmp_path / 'a.pth'), partial=True)


def test_values_that_are_no_numbers(tmp_path):
    with pytest.raises(UsageError, match='NaN or infinity in fc.bias'):
        start(tmp_path, dict(FC, **{'fc.bias': torch.full((2,), torch.nan)}))


class Forgetful(Part):
    """One that loads nothing, or changes what it has loaded."""

    def __init__(self, path, loads):
        super().__init__(path)
        self.loads = loads

    def init_weights(self):
        if self.loads:
            super().init_weights()
            nn.init.zeros_(self.fc.bias)


@pytest.mark.parametrize(
    ('loads', 'message'),
    [(False, 'nothing of .* fits model.part'), (True, '1 not loaded .*bias')],
)
def test_what_was_loaded_is_not_there(tmp_path, loads, message):
    torch.save(FC, tmp_path / 'a.pth')
    with pytest.raises(UsageError, match=message):
        begin(Forgetful(tmp_path / 'a.pth', loads))


def test_a_resumed_run_is_not_compared(tmp_path, caplog):
    torch.save(FC, tmp_path / 'a.pth')
    with caplog.at_level(logging.INFO):
        begin(Forgetful(tmp_path / 'a.pth', True), iteration=5)
    assert 'they are not compared' in caplog.text


def test_nothing_is_left_in_a_copy(tmp_path):
    torch.save(FC, tmp_path / 'a.pth')
    part = begin(Part(tmp_path / 'a.pth'))
    assert not copy.deepcopy(part)._load_state_dict_pre_hooks


def test_under_a_distributed_wrapper(tmp_path):
    torch.save(dict(FC, **{'fc.bias': torch.ones(3)}), tmp_path / 'a.pth')
    part = Part(tmp_path / 'a.pth')
    torch.distributed.init_process_group(
        'gloo',
        init_method=f'file://{tmp_path / "group"}',
        rank=0,
        world_size=1,
    )
    try:
        runner = SimpleNamespace(
            model=MMDistributedDataParallel(Other(part)),
            _train_loop=BuiltLoop(),
            hooks=[],
        )
        WeightsCheckHook().before_run(runner)
    finally:
        torch.distributed.destroy_process_group()
    with pytest.raises(UsageError, match='1 of another shape: fc.bias'):
        part.init_weights()


def test_a_test_needs_no_file(tmp_path):
    runner = SimpleNamespace(
        model=Other(Part(tmp_path / 'none.pth')), _train_loop=dict()
    )
    WeightsCheckHook().before_run(runner)


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
