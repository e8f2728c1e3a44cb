"""A training whose loss or weights are not finite ends; nothing is lost."""

import hashlib
from pathlib import Path

import pytest
import torch
from mmengine.hooks import Hook
from mmengine.registry import MODELS
from mmpretrain.models.losses import CrossEntropyLoss
from tiny_run import build_runner, write_config
from toy_run import on_two_processes, toy_runner

from mmdrloc.engine.hooks import NonFiniteHook
from mmdrloc.utils.errors import UsageError

BY_ITERATION = dict(
    _delete_=True, type='IterBasedTrainLoop', max_iters=9, val_interval=3
)


@MODELS.register_module()
class SpoiledLoss(CrossEntropyLoss):
    """From a call on infinite, or finite with a gradient of 0/0."""

    def __init__(self, first, is_infinite):
        super().__init__()
        self.left, self.is_infinite = first, is_infinite

    def forward(self, scores, *args, **kwargs):
        self.left -= 1
        loss = super().forward(scores, *args, **kwargs)
        root = (0 * scores).sum().sqrt()
        added = float('inf') if self.is_infinite else root
        return loss + added if self.left <= 0 else loss


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


def build(config, interval=50, **options):
    hook = dict(type='mmdrloc.NonFiniteHook', interval=interval)
    return build_runner(config, custom_hooks=[hook], **options)


def stopped(runner):
    with pytest.raises(UsageError) as error:
        runner.train()
    return str(error.value)


def files(runner):
    """The checkpoints and the pointer, with their content."""
    folder = Path(runner.work_dir)
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in [*folder.glob('*.pth'), folder / 'last_checkpoint']
        if path.exists()
    }


class Files(Hook):
    """Notes the files before each iteration."""

    priority = 'VERY_HIGH'

    def __init__(self):
        self.seen = []

    def before_train_iter(self, runner, *args, **kwargs):
        self.seen.append(files(runner))


@pytest.mark.parametrize('by_epoch', [True, False])
@pytest.mark.parametrize('is_infinite', [True, False])
def test_nothing_saved_is_lost(config, is_infinite, by_epoch):
    """Two checkpoints, the best among them; one is about to be replaced."""
    options = {} if by_epoch else dict(train_cfg=dict(BY_ITERATION))
    runner = build(
        config,
        model__head__loss=dict(
            type='SpoiledLoss', first=5, is_infinite=is_infinite
        ),
        default_hooks__checkpoint=dict(
            type='CheckpointHook',
            interval=1 if by_epoch else 3,
            by_epoch=by_epoch,
            max_keep_ckpts=2,
            save_best='accuracy/top1',
        ),
        **options,
    )
    noted = Files()
    runner.register_hook(noted)
    message = stopped(runner)
    assert 'not finite' in message and '\n' not in message
    assert len(noted.seen[3]) == 3
    assert noted.seen[3] == files(runner)


@pytest.mark.parametrize('name', ['running_mean', 'running_var'])
def test_statistics_that_overflowed(config, name):
    """As batch norm's in a step that AMP leaves out."""

    class Overflow(Hook):
        def before_train_epoch(self, runner):
            inf = torch.tensor([float('inf')])
            runner.model.register_buffer(name, inf)

    runner = build(config)
    runner.register_hook(Overflow())
    assert 'the weights are not finite' in stopped(runner)
    assert not files(runner)


def test_what_may_be_infinite(config):
    class Mask(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer('mask', torch.tensor(-float('inf')))

        def get_extra_state(self):
            return dict(state=1)

        def set_extra_state(self, state):
            pass

    runner = build(config)
    runner.model.add_module('masked', Mask())
    runner.train()
    assert files(runner)


@pytest.mark.parametrize('phase', ['train', 'test'])
def test_finite_weights_whose_answers_are_not(config, phase):
    """As of a last update that went wrong."""

    class Spoil(Hook):
        def after_train_epoch(self, runner):
            for weight in runner.model.parameters():
                weight.data.fill_(1e15)

        before_test = after_train_epoch

    runner = build(config)
    runner.register_hook(Spoil())
    with pytest.raises(UsageError, match='scores .* are not finite'):
        runner.train() if phase == 'train' else runner.test()


def test_answers_that_are_tensors():
    NonFiniteHook().after_val_iter(None, outputs=[torch.zeros(2)])


def test_it_looks_within_an_epoch(config):
    """Of three iterations here."""
    loss = dict(type='SpoiledLoss', first=1, is_infinite=True)
    said = stopped(build(config, interval=2, model__head__loss=loss))
    assert 'iteration 2 of 6' in said


def test_weights_that_nothing_else_shows(config):
    class Spoil(Hook):
        def after_train_iter(self, runner, *args, **kwargs):
            if runner.iter == 5:
                runner.model.head.fc.bias.data[1] = float('inf')

    runner = build(config)
    runner.register_hook(Spoil())
    assert 'weights' in stopped(runner)
    assert set(files(runner)) == {'epoch_1.pth', 'last_checkpoint'}


class Outputs(Hook):
    """Replaces what steps of one process return."""

    def __init__(self, rank=0, **outputs):
        self.rank = rank
        self.outputs = {k: torch.tensor(v) for k, v in outputs.items()}

    def before_train(self, runner):
        step = runner.model.train_step

        def replaced(*args, **kwargs):
            step(*args, **kwargs)
            return self.outputs

        if runner.rank == self.rank:
            runner.model.train_step = replaced


def test_all_processes_stop_at_the_loss_of_one(tmp_path):
    """Its weights and gradients are finite, as are all of the other's."""

    def train(rank):
        hooks = [Outputs(rank=1, loss=float('inf')), NonFiniteHook()]
        return stopped(toy_runner(tmp_path, epochs=9, interval=9, hooks=hooks))

    said = on_two_processes(tmp_path, train)
    assert said[0] == said[1]
    assert 'the loss is not finite in iteration 1 of 9' in said[0]
