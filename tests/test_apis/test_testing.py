"""What a test says of classes, and what it cannot merge."""

import pytest
import torch
from mmengine.config import Config

from mmdrloc.apis import testing
from mmdrloc.utils.errors import UsageError


def tta_config(**model):
    return Config(
        dict(
            model=dict(type='A', **model),
            test_dataloader=dict(dataset=dict(dataset=dict(pipeline=[1]))),
            tta_model=dict(type='B'),
            tta_pipeline=[2],
        )
    )


def test_classes_and_confusions():
    counts = torch.tensor([[3, 1, 0], [0, 4, 0], [4, 0, 4]])
    classes = ['cat', 'dog', 'owl']
    rates = testing.accuracies(counts, classes)
    assert [*rates.items()] == [('owl', 50.0), ('cat', 75.0), ('dog', 100.0)]
    said = testing.worst_classes(counts, classes)
    assert 'owl, taken for cat 4 times' in said
    assert said.index('owl') < said.index('cat, taken for dog 1 times')


def test_tta_that_cannot_be():
    with pytest.raises(UsageError, match='`tta_model` and `tta_pipeline`'):
        testing.set_tta(Config(dict(model=dict(type='A'))))
    with pytest.raises(UsageError, match='mask_head=None'):
        testing.set_tta(tta_config(roi_head=dict(mask_head=dict())))
