"""The weight by epoch, in the log, and after a resume."""

from types import SimpleNamespace

import pytest
import torch

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
    # The first 101 of 300 epochs, with the official weight.
    assert 0.5 * warmup_decay(100, 20, 300) == pytest.approx(0.357, abs=5e-4)


def test_an_unknown_schedule():
    with pytest.raises(UsageError, match="schedule='cosine'"):
        DRLocWeightHook(schedule='cosine')


def test_a_part_of_an_epoch_counts_as_one():
    """Five iterations, two of which see all images, are three epochs."""
    head = DRLocHead('a', 4)
    runner = SimpleNamespace(
        model=head,
        iter=4,
        max_iters=5,
        train_loop=None,
        train_dataloader=range(2),
    )
    hook = DRLocWeightHook(warmup_epochs=1)
    hook.before_train(runner)
    hook.before_train_iter(runner)
    assert head.loss_weight == 0.5 * warmup_decay(2, 1, 3)


@pytest.mark.parametrize(
    'model,warmup,words',
    [
        (torch.nn.Linear(1, 1), 5, 'no DRLoc head'),
        *(
            (DRLocHead('a', 4), n, f'warmup_epochs={n} must be')
            for n in (-1, 0, 20)
        ),
    ],
)
def test_what_cannot_be_scheduled_is_refused_before_training(
    model, warmup, words
):
    """Such as a warm-up of no or of all 20 epochs."""
    runner = SimpleNamespace(
        model=model,
        max_iters=20,
        train_loop=None,
        train_dataloader=range(1),
    )
    with pytest.raises(UsageError, match=words):
        DRLocWeightHook(warmup_epochs=warmup).before_train(runner)


def test_no_weight_is_below_zero():
    """Of a schedule that is back at 0 before the training ends."""
    factors = [warmup_decay(epoch, 1, 3) for epoch in range(6)]
    assert factors == [0.0, 1.0, 0.5, 0.0, 0.0, 0.0]
