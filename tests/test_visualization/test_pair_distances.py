"""Pairs asked of a model, and the picture of them."""

import pytest
import torch
from mmengine.config import Config
from PIL import Image
from tiny_classifier import batch, build

from mmdrloc.errors import UsageError
from mmdrloc.visualization.pair_distances import (
    collect_pair_distances,
    draw_pair_distances,
)
from mmdrloc.visualization.trained import Trained


def trained(model):
    images, samples = batch()
    batches = [dict(inputs=images, data_samples=samples)] * 3
    return Trained(model.eval(), batches, Config(dict()))


def test_collected_pairs_are_what_the_head_says(tmp_path):
    model = build()
    distances = collect_pair_distances(trained(model), num_images=5)
    # Two batches of four images make at least five.
    assert distances.true.shape == (8 * 64, 2)
    assert distances.grid_size == (3, 3)
    assert distances.true.min() == 0 and distances.true.max() == 2
    assert not any(module._forward_hooks for module in model.modules())

    # An MLP that answers 2/3 of the axis says two cells of three.
    last = model.auxiliary_head.mlps[0].layers[-1]
    torch.nn.init.zeros_(last.weight)
    torch.nn.init.constant_(last.bias, 2 / 3)
    constant = collect_pair_distances(trained(model), num_images=1)
    torch.testing.assert_close(
        constant.predicted, torch.full_like(constant.predicted, 2.0)
    )

    draw_pair_distances(distances, tmp_path / 'pairs.png')
    assert Image.open(tmp_path / 'pairs.png').width > 500


def test_a_model_without_the_head_is_refused():
    model = build()
    model.auxiliary_head = None
    with pytest.raises(UsageError, match='no DRLoc head'):
        collect_pair_distances(trained(model))
