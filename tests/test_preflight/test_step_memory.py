"""What a step is said to need, beside what torch's profiler saw it take."""

import copy

import pytest
import torch
from mmengine.config import Config
from mmengine.runner import Runner
from mmengine.utils import digit_version
from mmpretrain.models import LinearClsHead
from tiny_run import write_config
from torch.profiler import ProfilerActivity, profile

from mmdrloc.preflight.step_memory import (
    OLDEST_TORCH,
    StepMemory,
    estimate_step_memory,
)

pytestmark = pytest.mark.skipif(
    digit_version(torch.__version__) < digit_version(OLDEST_TORCH),
    reason=f'nothing is said before PyTorch {OLDEST_TORCH}',
)

RESNET = {
    'model.backbone': dict(_delete_=True, type='ResNet', depth=18),
    'model.head.in_channels': 512,
}
DRLOC = {
    'model.type': 'mmdrloc.DRLocClassifier',
    'model.auxiliary_head': dict(
        type='mmdrloc.DRLocHead', source='stages.1', in_channels=16
    ),
    'model.train_cfg': dict(augments=[dict(type='Mixup', alpha=0.8)]),
}
ADAMW = {'optim_wrapper.optimizer': dict(_delete_=True, type='AdamW', lr=0.1)}
AMP = {'optim_wrapper.type': 'mmdrloc.CPUAmpOptimWrapper'}
SUMMED = {'optim_wrapper.accumulative_counts': 2}
# Enough for what waits for the backward pass to be more than the gradients.
IMAGES = 256


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp('tiny'))


def runner_for(config, tmp_path, *options, images=IMAGES):
    """A runner about to train."""
    cfg = Config.fromfile(config)
    for option in options:
        cfg.merge_from_dict(copy.deepcopy(option))
    cfg.train_dataloader.batch_size = images
    cfg.work_dir = str(tmp_path / 'work')
    cfg.experiment_name = tmp_path.name
    runner = Runner.from_cfg(cfg)
    runner._train_loop = runner.build_train_loop(runner._train_loop)
    runner.optim_wrapper = runner.build_optim_wrapper(runner.optim_wrapper)
    return runner


def start(event):
    return event.start_ns() if hasattr(event, 'start_ns') else event.start_us()


def measured(runner, images):
    """Two steps under the profiler, which sees what is fetched and freed."""
    model, wrapper = runner.model, runner.optim_wrapper
    data = next(iter(runner.train_dataloader))
    times = images // len(data['inputs']) + 1
    batch = dict(
        inputs=data['inputs'].repeat(times, 1, 1, 1)[:images],
        data_samples=(data['data_samples'] * times)[:images],
    )
    wrapper.initialize_count_status(model, 0, 2)
    model.train()
    own = sum(
        tensor.untyped_storage().nbytes()
        for tensor in [*model.parameters(), *model.buffers()]
    )
    with profile(
        activities=[ProfilerActivity.CPU], profile_memory=True
    ) as seen:
        for _ in range(2):
            model.train_step(batch, wrapper)
    events = seen.profiler.kineto_results.events()
    now, most = own, own
    for event in sorted(events, key=start):
        if event.name() == '[memory]':
            now += event.nbytes()
            most = max(most, now)
    return most


@pytest.mark.parametrize(
    'options',
    [
        (RESNET,),
        (RESNET, ADAMW),
        (RESNET, ADAMW, AMP),
        (RESNET, SUMMED),
        (DRLOC, ADAMW),
    ],
    ids=['sgd', 'adamw', 'amp', 'summed', 'drloc'],
)
def test_what_is_said_is_what_is_taken(config, tmp_path, options):
    runner = runner_for(config, tmp_path, *options)
    estimate = estimate_step_memory(runner)
    assert estimate.peak == pytest.approx(measured(runner, IMAGES), rel=0.1)


def test_weights_gradients_optimizer_and_batch(config, tmp_path):
    few, many, weights, adamw, summed = (
        estimate_step_memory(
            runner_for(config, tmp_path / str(place), *options, images=images)
        )
        for place, (images, *options) in enumerate(
            [
                (IMAGES,),
                (2 * IMAGES,),
                (2, RESNET),
                (2, RESNET, ADAMW),
                (2, RESNET, SUMMED),
            ]
        )
    )
    # Its weights are next to nothing.
    assert many.peak == pytest.approx(2 * few.peak, rel=0.02)
    assert weights.lasting == pytest.approx(4 * 11.2e6, rel=0.01)
    assert adamw.lasting == pytest.approx(3 * weights.lasting, rel=0.01)
    assert summed.lasting == pytest.approx(2 * weights.lasting, rel=0.01)
    assert weights.peak > 2 * weights.lasting


def test_nothing_is_left(config, tmp_path):
    runner = runner_for(config, tmp_path, DRLOC, ADAMW)
    weights = copy.deepcopy(runner.model.state_dict())
    state = torch.get_rng_state()
    assert estimate_step_memory(runner) is not None
    assert torch.equal(torch.get_rng_state(), state)
    assert not runner.optim_wrapper.optimizer.state
    assert all(p.grad is None for p in runner.model.parameters())
    for name, tensor in runner.model.state_dict().items():
        assert torch.equal(tensor, weights[name])


@pytest.mark.parametrize(
    'loss',
    [
        lambda map: map.nonzero().sum(),
        lambda map: torch.stack([map[0], map[0, 0]]).sum(),
    ],
    ids=['shape', 'operator'],
)
def test_none_where_a_step_does_not_go(
    config, tmp_path, monkeypatch, capfd, loss
):
    monkeypatch.setattr(
        LinearClsHead,
        'loss',
        lambda self, feats, samples: dict(loss=loss(feats[-1])),
    )
    runner = runner_for(config, tmp_path)
    capfd.readouterr()
    assert estimate_step_memory(runner) is None
    assert capfd.readouterr().err == ''


def test_it_says_two_digits():
    assert str(StepMemory(31_400_000_000, 448_000_000)) == (
        'a training step takes about 31 GB on each device, 0.45 GB of it '
        'whatever the batch'
    )
