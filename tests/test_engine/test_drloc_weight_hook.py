"""The weight by epoch, in the log, and after a resume."""

from types import SimpleNamespace

import pytest
import torch
from mmengine.runner import Runner
from mmpretrain.structures import DataSample
from tiny_classifier import build

from mmdrloc.engine.hooks.drloc_weight_hook import (
    DRLocWeightHook,
    warmup_decay,
)
from mmdrloc.models import DRLocHead
from mmdrloc.utils.errors import UsageError


def test_official_schedule():
    factors = [warmup_decay(epoch, 20, 100) for epoch in range(101)]
    assert factors[0] == 0.0 and factors[10] == 0.5 and factors[20] == 1.0
    assert factors[60] == 0.5 and factors[100] == 0.0
    assert sum(factors) / len(factors) == pytest.approx(0.50, abs=0.01)


def test_first_101_of_300_epochs():
    factors = [warmup_decay(epoch, 20, 300) for epoch in range(101)]
    assert 0.5 * factors[100] == pytest.approx(0.357, abs=5e-4)
    assert sum(factors) / len(factors) == pytest.approx(0.78, abs=0.01)


@pytest.mark.parametrize(
    'kwargs,words',
    [
        (dict(schedule='cosine'), "schedule='cosine'"),
        (dict(warmup_epochs=0), 'warmup_epochs=0'),
    ],
)
def test_impossible_arguments(kwargs, words):
    with pytest.raises(UsageError, match=words):
        DRLocWeightHook(**kwargs)


@pytest.mark.parametrize(
    'model,words',
    [
        (torch.nn.Linear(1, 1), 'no DRLoc head'),
        (DRLocHead('a', 4), 'leave nothing after warmup_epochs=20'),
    ],
)
def test_what_cannot_be_scheduled_is_refused_before_training(model, words):
    runner = SimpleNamespace(model=model, max_epochs=20, train_loop=None)
    with pytest.raises(UsageError, match=words):
        DRLocWeightHook().before_train(runner)


class Images(torch.utils.data.Dataset):
    """Eight fixed images."""

    metainfo = dict(classes=('a', 'b', 'c'))

    def __init__(self):
        self.images = torch.randn(
            8, 3, 24, 24, generator=torch.Generator().manual_seed(2)
        )

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return dict(
            inputs=self.images[index],
            data_samples=DataSample().set_gt_label(index % 3),
        )


def collate(items):
    return dict(
        inputs=torch.stack([item['inputs'] for item in items]),
        data_samples=[item['data_samples'] for item in items],
    )


class Stop(Exception):
    """What kills a run."""


def train(work_dir, name, resume=False, stop_before=None):
    """Train for four epochs; return weights by step and the final model."""
    logged = []

    class Record(DRLocWeightHook):
        def before_train_epoch(self, runner):
            if runner.epoch == stop_before:
                raise Stop
            super().before_train_epoch(runner)

        def after_train_iter(self, runner, batch_idx, data_batch, outputs):
            logged.append(
                (
                    runner.iter,
                    float(outputs['drloc_weight']),
                    float(outputs['drloc_raw']),
                )
            )

    runner = Runner(
        model=build(),
        work_dir=str(work_dir),
        experiment_name=name,
        train_dataloader=torch.utils.data.DataLoader(
            Images(), batch_size=4, collate_fn=collate
        ),
        optim_wrapper=dict(
            type='OptimWrapper', optimizer=dict(type='AdamW', lr=1e-3)
        ),
        train_cfg=dict(by_epoch=True, max_epochs=4),
        custom_hooks=[Record(warmup_epochs=2)],
        default_hooks=dict(checkpoint=dict(type='CheckpointHook', interval=1)),
        randomness=dict(seed=0),
        resume=resume,
    )
    # Built and initialised already: resuming must bring all that counts.
    try:
        runner.train()
    except Stop:
        assert stop_before is not None
    return logged, runner.model.state_dict()


def test_weight_is_logged_and_a_resumed_run_equals_the_uninterrupted(tmp_path):
    whole, expected = train(tmp_path / 'whole', 'whole')
    assert [weight for _, weight, _ in whole] == [
        0.0,
        0.0,
        0.25,
        0.25,
        0.5,
        0.5,
        0.25,
        0.25,
    ]
    begun, _ = train(tmp_path / 'part', 'begun', stop_before=2)
    resumed, state = train(tmp_path / 'part', 'resumed', resume=True)
    assert begun + resumed == whole
    for name, tensor in expected.items():
        assert torch.equal(tensor, state[name]), name
