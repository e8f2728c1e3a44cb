"""What happens to the gradients between backward pass and update."""

from types import SimpleNamespace

import pytest
import torch
from mmengine.optim import OptimWrapper
from torch import nn

from mmdrloc.engine.hooks import DINOGradientsHook


def changes(epoch, times):
    """How far one update with rate 1 moves each parameter."""
    model = nn.ModuleDict(
        dict(
            backbone=nn.Linear(4, 4, bias=False),
            neck=nn.ParameterDict(dict(prototypes=torch.ones(3, 4))),
        )
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    wrapper = OptimWrapper(optimizer=optimizer)
    model.neck = model['neck']
    runner = SimpleNamespace(model=model, epoch=epoch, optim_wrapper=wrapper)
    DINOGradientsHook(max_norm=3.0, frozen_epochs=1).before_train(runner)
    before = [p.detach().clone() for p in model.parameters()]
    with wrapper.optim_context(model):
        loss = times * sum(p.sum() for p in model.parameters())
    wrapper.update_params(loss)
    return [(p - b).norm().item() for p, b in zip(model.parameters(), before)]


def test_each_gradient_is_clipped_on_its_own():
    moved = changes(epoch=1, times=100)
    assert moved == pytest.approx([3.0, 3.0], rel=1e-4)
    moved = changes(epoch=1, times=0.1)
    assert moved == pytest.approx([0.1 * 16**0.5, 0.1 * 12**0.5])


def test_prototypes_stay_in_the_first_epoch():
    moved = changes(epoch=0, times=100)
    assert moved == pytest.approx([3.0, 0.0], rel=1e-4)
