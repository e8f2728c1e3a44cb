"""Tensors of the original authors' code, and what is asked of converters."""

import os
from pathlib import Path
from typing import Dict

import pytest
import torch
from torch import Tensor, nn

from mmdrloc.checkpoints.origins import Origin


def load_golden(name: str) -> dict:
    """Read a golden file, or skip the test where there is none."""
    folder = os.environ.get('MMDRLOC_GOLDEN')
    if not folder:
        pytest.skip('MMDRLOC_GOLDEN names no folder with golden tensors')
    return torch.load(Path(folder) / name, weights_only=True)


def random_weights(network: nn.Module) -> Dict[str, Tensor]:
    """A state dict of values that no initialisation would give."""
    generator = torch.Generator().manual_seed(0)
    return {
        name: torch.rand(tensor.shape, generator=generator) + 0.1
        if tensor.is_floating_point()
        else tensor
        for name, tensor in network.state_dict().items()
    }


def assert_round_trip(origin: Origin, theirs: Dict[str, Tensor]) -> None:
    """There and back again, bit by bit, but for the derived buffers."""
    converted = origin.to_ours(theirs)
    assert not converted.unknown
    back = origin.to_theirs(converted.weights)
    assert not back.unknown
    kept = set(theirs) - set(converted.derived)
    assert set(back.weights) == kept
    for name in kept:
        assert back.weights[name].equal(theirs[name]), name
