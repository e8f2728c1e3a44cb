"""Pairs asked of a model, and the picture of them."""

import pytest
import torch
from PIL import Image
from tiny_classifier import batch, build

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from mmdrloc.visualization.pair_distances import (
    collect_pair_distances,
    draw_pair_distances,
    errors_by_distance,
    offsets_of,
)


def evaluated(model):
    """The model in evaluation mode, and batches."""
    images, samples = batch()
    return model.eval(), [dict(inputs=images, data_samples=samples)] * 3


def test_collected_pairs_are_what_the_head_says(tmp_path):
    model = build()
    true, predicted = collect_pair_distances(*evaluated(model))
    assert true.shape == predicted.shape == (12 * 64, 2)
    assert true.min() == 0 and true.max() == 2
    assert not any(module._forward_hooks for module in model.modules())

    # An MLP that answers 2/3 of the axis says two cells of three.
    last = model.auxiliary_head.mlps[0].layers[-1]
    torch.nn.init.zeros_(last.weight)
    torch.nn.init.constant_(last.bias, 2 / 3)
    _, predicted = collect_pair_distances(*evaluated(model))
    torch.testing.assert_close(predicted, torch.full_like(predicted, 2.0))

    draw_pair_distances(*evaluated(model), tmp_path / 'pairs.png')
    assert Image.open(tmp_path / 'pairs.png').width > 500


OFFICIAL = dict(convention='official')
SIGNED = dict(signed=True)
SIZE = (7, 5)


def targets(loss):
    """Of 4 rows up and 3 columns to the right."""
    return [
        loss.target(torch.tensor([[offset]]), length)
        for offset, length in zip((-4, 3), SIZE)
    ]


@pytest.mark.parametrize(
    'kwargs,rows',
    [
        (dict(), 4),
        (dict(normalize='k-1'), 4),
        (SIGNED, -4),
        (dict(SIGNED, normalize='none'), -4),
        (OFFICIAL, 4),
        (dict(OFFICIAL, **SIGNED), -4),
        (dict(OFFICIAL, **SIGNED, normalize='k-1'), -4),
        (dict(OFFICIAL, **SIGNED, normalize='none'), -4),
    ],
)
def test_offsets_of_numbers(kwargs, rows):
    loss = MODELS.build(dict(type='mmdrloc.DRLocL1Loss', **kwargs))
    found = offsets_of(loss, torch.stack(targets(loss), -1), SIZE)
    torch.testing.assert_close(found, torch.tensor([[[rows, 3.0]]]))


@pytest.mark.parametrize(
    'kwargs,rows',
    # The paper's classes have a direction in any case.
    [(dict(), -4), (OFFICIAL, 4), (dict(OFFICIAL, **SIGNED), -4)],
)
def test_offsets_of_classes(kwargs, rows):
    loss = MODELS.build(dict(type='mmdrloc.DRLocCrossEntropyLoss', **kwargs))
    classes = targets(loss)
    found = offsets_of(loss, torch.stack(classes, -1), SIZE)
    torch.testing.assert_close(found, torch.tensor([[[rows, 3.0]]]))
    # Almost all the probability on the right class.
    logits = tuple(
        50.0 * torch.nn.functional.one_hot(index, count)
        for index, count in zip(classes, loss.branches(SIZE))
    )
    torch.testing.assert_close(offsets_of(loss, logits, SIZE), found)


def test_a_model_without_the_head_is_refused():
    model = build()
    model.auxiliary_head = None
    with pytest.raises(UsageError, match='no classifier with a DRLoc head'):
        collect_pair_distances(*evaluated(model))


def test_a_loss_with_other_targets_is_refused():
    model = build()
    for kind in ('DRLocScrambledLoss', 'AbsoluteCellLoss'):
        model.auxiliary_head.loss_module = MODELS.build(
            dict(type=f'mmdrloc.{kind}')
        )
        with pytest.raises(UsageError, match=f'{kind} is no OffsetLoss'):
            collect_pair_distances(*evaluated(model))


def test_errors_are_means_of_each_distance():
    true = torch.tensor([-1, 0, 0, 0, 2])
    predicted = torch.tensor([0.0, 1.0, -1.0, 4.0, 2.5])
    steps, means, constant = errors_by_distance(true, predicted)
    assert steps.tolist() == [-1, 0, 1, 2]
    assert means[[0, 1, 3]].tolist() == [1, 2, 0.5] and means[2].isnan()
    assert constant.tolist() == [1, 0, 1, 2]  # the median is 0
