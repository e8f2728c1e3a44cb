"""A training whose numbers are no longer finite ends, or skips the step."""

import hashlib
from pathlib import Path

import pytest
import torch
from mmdet.structures import DetDataSample
from mmengine.hooks import Hook
from mmengine.optim import OptimWrapper
from mmseg.structures import SegDataSample
from spoiling import IN_ORDER, build, result_of, spoiled, stopped
from tiny_run import build_runner, write_config
from torch import Tensor

from mmdrloc.engine.hooks import NonFiniteHook
from mmdrloc.engine.non_finite import gradient_norm, images_of
from mmdrloc.registry import OPTIM_WRAPPERS

DRLOC = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.1',
        in_channels=16,
        hidden_channels=12,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5),
    ),
)
BY_ITERATION = dict(
    _delete_=True, type='IterBasedTrainLoop', max_iters=9, val_interval=3
)


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


class Files(Hook):
    """Notes the bytes of all checkpoints before each update."""

    priority = 'VERY_HIGH'

    def __init__(self):
        self.seen = []

    def before_train_iter(self, runner, batch_idx, data_batch=None):
        self.seen.append(self.now(runner))

    @staticmethod
    def now(runner):
        folder = Path(runner.work_dir)
        return {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in [*folder.glob('*.pth'), folder / 'last_checkpoint']
            if path.exists()
        }


@pytest.mark.parametrize('interval', [1, 2, 10])
def test_an_image_is_named(config, interval):
    runner = build(
        config,
        default_hooks__logger__interval=interval,
        **spoiled('class1/2.png'),
    )
    message, result = stopped(runner)
    assert 'not finite in iteration 2 of 6: loss' in message
    assert '--skip-bad-steps' in message and '\n' not in message
    assert result['finished'] is False
    images = result['stopped']['images']
    assert [i[-12:] for i in images] == [f'class1/{n}.png' for n in range(4)]
    assert all(image in message for image in images)
    assert Files.now(runner) == {}


def test_the_total_is_not_blamed_for_its_part(config):
    runner = build(config, **{f'model__{k}': v for k, v in DRLOC.items()})
    runner.model.auxiliary_head.weight_factor = float('inf')
    message, result = stopped(runner)
    assert result['stopped']['iteration'] == 1
    assert result['stopped']['components'] == ['loss_drloc']
    assert 'iteration 1 of 6: loss_drloc. Images' in message


def test_weights_that_explode(config):
    _, result = stopped(build(config, optim_wrapper__optimizer__lr=1e30))
    assert result['stopped']['iteration'] == 2
    assert result['stopped']['components'] == ['loss']


@pytest.mark.parametrize('clip', [None, dict(max_norm=1.0)])
def test_gradients_are_named_before_what_they_spoil(config, clip):
    runner = build(
        config,
        model__head__loss=dict(type='mmdrloc.RootLoss', first=2),
        optim_wrapper__clip_grad=clip,
        default_hooks__logger__interval=10,
        **IN_ORDER,
    )
    _, result = stopped(runner)
    assert result['stopped']['iteration'] == 2
    assert result['stopped']['components'] == ['grad_norm']
    assert [i[-12:-6] for i in result['stopped']['images']] == ['class1'] * 4


def test_all_images_of_an_update_may_have_spoiled_its_gradients(config):
    runner = build(
        config,
        model__head__loss=dict(type='mmdrloc.RootLoss', first=3),
        optim_wrapper__accumulative_counts=2,
    )
    _, result = stopped(runner)
    assert result['stopped']['iteration'] == 4
    assert result['stopped']['components'] == ['grad_norm']
    assert len(result['stopped']['images']) == 8


def test_weights_that_nothing_else_shows(config):
    class Spoil(Hook):
        def after_train_iter(self, runner, *args, **kwargs):
            if runner.iter == 5:
                runner.model.head.fc.bias.data[1] = float('inf')

    runner = build(config)
    runner.register_hook(Spoil())
    _, result = stopped(runner)
    assert result['stopped']['components'] == ['head.fc.bias']
    assert result['stopped']['images'] == []
    assert set(Files.now(runner)) == {'epoch_1.pth', 'last_checkpoint'}


@pytest.mark.parametrize('accumulated', [1, 2])
@pytest.mark.parametrize('by_epoch', [True, False])
@pytest.mark.parametrize(
    'loss', [dict(type='mmdrloc.RootLoss'), dict(type='mmdrloc.InfiniteLoss')]
)
def test_nothing_saved_is_touched(config, loss, by_epoch, accumulated):
    """One checkpoint and the best one, both about to be replaced."""
    options = {} if by_epoch else dict(train_cfg=dict(BY_ITERATION))
    runner = build(
        config,
        model__head__loss=dict(loss, first=5),
        optim_wrapper__accumulative_counts=accumulated,
        default_hooks__logger__interval=50,
        default_hooks__checkpoint=dict(
            type='CheckpointHook',
            interval=1 if by_epoch else 3,
            by_epoch=by_epoch,
            max_keep_ckpts=1,
            save_best='accuracy/top1',
        ),
        **options,
    )
    files = Files()
    runner.register_hook(files)
    _, result = stopped(runner)
    assert result['stopped']['iteration'] in (5, 6)
    assert files.seen[0] == {} and len(files.seen[3]) == 3
    assert files.seen[3] == Files.now(runner)
    assert 'stopped' in result and len(result['validations']) == 1


def test_a_good_training_is_as_without_the_hook(tmp_path):
    states = []
    for name in ('with', 'without'):
        (tmp_path / name).mkdir()
        config = write_config(tmp_path / name)
        build_one = build if name == 'with' else build_runner
        runner = build_one(config, experiment_name=name)
        runner.train()
        states.append(runner.model.state_dict())
    assert all(states[0][n].equal(states[1][n]) for n in states[0])


@pytest.mark.parametrize('kind', [DetDataSample, SegDataSample])
def test_names_of_images(kind):
    samples = [
        kind(metainfo=dict(img_path='a.png', sample_idx=3)),
        kind(metainfo=dict(sample_idx=4)),
        kind(),
    ]
    names = images_of(dict(inputs=[], data_samples=samples))
    assert names == ['a.png', 'image 4', 'image without a number']
    assert images_of([torch.zeros(1)]) == []


def test_a_mask_of_infinities_is_no_fault(config):
    runner = build(config)
    runner.model.register_buffer('mask', torch.tensor([0.0, -float('inf')]))
    runner.train()
    assert result_of(runner)['finished'] is True


def test_large_finite_weights_are_no_fault(config):
    runner = build(config)
    runner.model.register_buffer('large', torch.full((4,), 3e38))
    runner.train()
    assert result_of(runner)['finished'] is True


def test_nothing_waits_between_looks(config, monkeypatch):
    """What the hook does in a step reads no number from the device."""
    reads, counts = [], []

    def counting(method):
        def read(*args, **kwargs):
            reads.append(1)
            return method(*args, **kwargs)

        return read

    def watched(method):
        def called(*args, **kwargs):
            before = len(reads)
            method(*args, **kwargs)
            counts.append((runner.iter + 1, len(reads) - before))

        return called

    for name in ('item', '__float__', '__bool__', 'tolist', 'numpy', 'cpu'):
        monkeypatch.setattr(Tensor, name, counting(getattr(Tensor, name)))
    runner = build(config, default_hooks__logger__interval=3)
    (hook,) = [h for h in runner.hooks if isinstance(h, NonFiniteHook)]
    for name in ('_before_step', 'before_train_iter', 'after_train_iter'):
        setattr(hook, name, watched(getattr(hook, name)))
    runner.train()
    by_iteration = [sum(n for i, n in counts if i == k) for k in range(1, 7)]
    assert by_iteration == [0, 0, 1, 0, 0, 1]


class Scaler:
    """Leaves out steps with infinite gradients, as GradScaler does."""

    scale = 2.0**10

    def is_enabled(self):
        return True

    def get_scale(self):
        return self.scale

    def step(self, optimizer):
        norm = gradient_norm(optimizer.param_groups[0]['params'])
        if norm.isfinite():
            optimizer.step()
        else:
            self.scale /= 2**10


@OPTIM_WRAPPERS.register_module()
class ScaledWrapper(OptimWrapper):
    def __init__(self, **options):
        super().__init__(**options)
        self.loss_scaler = Scaler()

    def step(self):
        self.loss_scaler.step(self.optimizer)


def build_scaled(config, loss, **options):
    return build(
        config,
        optim_wrapper__type='mmdrloc.ScaledWrapper',
        model__head__loss=dict(type=f'mmdrloc.{loss}', first=5),
        **options,
    )


def test_infinite_gradients_belong_to_the_loss_scaler(config):
    build_scaled(config, 'RootLoss').train()


def test_a_loss_scale_that_is_gone(config):
    message, result = stopped(
        build_scaled(config, 'RootLoss', train_cfg__max_epochs=5)
    )
    assert 'no loss scale is left' in message
    assert result['stopped']['iteration'] == 8


def test_a_loss_is_no_matter_of_the_loss_scaler(config):
    _, result = stopped(build_scaled(config, 'InfiniteLoss'))
    assert result['stopped']['components'] == ['loss']


@pytest.mark.parametrize(
    'loss, skipped', [('RootLoss', 0), ('InfiniteLoss', 2)]
)
def test_skipping_under_a_loss_scaler(config, loss, skipped):
    runner = build_scaled(config, loss, skip=2)
    runner.train()
    assert result_of(runner)['skipped_steps'] == skipped
