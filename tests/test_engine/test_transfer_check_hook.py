"""The backbone's tensors are those of its checkpoint, or nothing trains."""

import logging
from types import SimpleNamespace

import pytest
import torch
from mmengine.model import BaseModule, MMDistributedDataParallel
from tiny_run import BuiltLoop

from mmdrloc.engine import TransferCheckHook
from mmdrloc.errors import UsageError


class Backbone(BaseModule):
    """Two modules, of which dense libraries add the second one."""

    def __init__(self, init_cfg):
        super().__init__(init_cfg)
        self.stage = torch.nn.Linear(2, 2)
        self.norm0 = torch.nn.LayerNorm(2)


class Model(BaseModule):
    """A backbone and something else."""

    def __init__(self, init_cfg):
        super().__init__()
        self.backbone = Backbone(init_cfg)
        self.head = torch.nn.Linear(2, 2)

    def forward(self, inputs):
        return self.head(self.backbone.stage(inputs))


def write(path, **changes):
    weights = Backbone(None).state_dict()
    tensors = {
        f'backbone.{name}': tensor
        for name, tensor in weights.items()
        if not name.startswith('norm0')
    }
    tensors.update(changes)
    torch.save(dict(state_dict=tensors), path)


def runner_of(path, prefix='backbone.', iteration=0):
    init_cfg = dict(type='Pretrained', checkpoint=str(path), prefix=prefix)
    return SimpleNamespace(
        model=Model(init_cfg),
        iter=iteration,
        logger=logging.getLogger('transfer'),
        _train_loop=BuiltLoop(),
    )


def run(hook, runner):
    hook.before_run(runner)
    model = getattr(runner.model, 'module', runner.model)
    model.init_weights()
    hook.before_train(runner)


def hook():
    return TransferCheckHook(['norm0.'], 'bash carry.sh')


def test_everything_arrived(tmp_path, caplog):
    write(tmp_path / 'a.pth')
    with caplog.at_level(logging.INFO):
        run(hook(), runner_of(tmp_path / 'a.pth'))
    assert (
        '2 of 4 tensors loaded and equal; expected to be missing: norm0'
    ) in caplog.messages


def test_under_a_distributed_wrapper(tmp_path, caplog):
    write(tmp_path / 'a.pth')
    runner = runner_of(tmp_path / 'a.pth')
    torch.distributed.init_process_group(
        'gloo',
        init_method=f'file://{tmp_path / "group"}',
        rank=0,
        world_size=1,
    )
    try:
        runner.model = MMDistributedDataParallel(runner.model)
        with caplog.at_level(logging.INFO):
            run(hook(), runner)
    finally:
        torch.distributed.destroy_process_group()
    assert '2 of 4 tensors loaded and equal' in caplog.text


def test_unannounced_missing_tensor(tmp_path):
    write(tmp_path / 'a.pth')
    with pytest.raises(
        UsageError,
        match='2 missing in the checkpoint: norm0.weight, norm0.bias',
    ):
        run(TransferCheckHook(), runner_of(tmp_path / 'a.pth'))


def test_unexpected_tensor(tmp_path):
    write(tmp_path / 'a.pth', **{'backbone.stage.scale': torch.ones(1)})
    with pytest.raises(
        UsageError, match='unexpected in the checkpoint: stage.scale'
    ):
        run(hook(), runner_of(tmp_path / 'a.pth'))


def test_other_shape(tmp_path):
    write(tmp_path / 'a.pth', **{'backbone.stage.bias': torch.ones(3)})
    runner = runner_of(tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='of another shape: stage.bias'):
        hook().before_run(runner)


def test_a_load_of_nothing(tmp_path):
    write(tmp_path / 'a.pth')
    runner = runner_of(tmp_path / 'a.pth')
    hook().before_run(runner)  # and no init_weights
    with pytest.raises(UsageError, match='2 not loaded .* stage.weight'):
        hook().before_train(runner)


def test_wrong_prefix(tmp_path):
    write(tmp_path / 'a.pth')
    runner = runner_of(tmp_path / 'a.pth', prefix='encoder.')
    with pytest.raises(UsageError, match=r'no tensors named encoder\.\*'):
        hook().before_train(runner)


def test_absent_checkpoint(tmp_path):
    with pytest.raises(UsageError, match='make it with `bash carry.sh`'):
        hook().before_run(runner_of(tmp_path / 'none.pth'))


@pytest.mark.parametrize(
    'init_cfg', [None, dict(type='Xavier', layer='Linear')]
)
def test_nothing_to_start_from(tmp_path, init_cfg):
    runner = runner_of(tmp_path / 'none.pth')
    runner.model.backbone.init_cfg = init_cfg
    with pytest.raises(UsageError, match='no pretrained weights'):
        hook().before_run(runner)


def test_resumed_run_says_that_it_does_not_check(tmp_path, caplog):
    write(tmp_path / 'a.pth')
    runner = runner_of(tmp_path / 'a.pth', iteration=5)
    with caplog.at_level(logging.INFO):
        hook().before_train(runner)
    assert 'the transfer is not checked' in caplog.text


def test_a_test_needs_no_backbone_file(tmp_path):
    runner = runner_of(tmp_path / 'none.pth')
    runner._train_loop = dict(by_epoch=True)
    hook().before_run(runner)
