"""Other layouts and compiled graphs compute the same."""

from copy import deepcopy
from types import SimpleNamespace

import old_torch
import pytest
import torch
from mmengine.model import MMDistributedDataParallel
from mmengine.optim import OptimWrapper
from tiny_classifier import batch, build, fix_pairs

from mmdrloc.engine import ChannelsLastHook, CompileHook
from mmdrloc.errors import UsageError


class CountingBackend:
    """Compiles nothing and keeps the graphs that it was given."""

    def __init__(self):
        self.graphs = []

    def __call__(self, module, inputs):
        self.graphs.append(module)
        return module.forward


def losses_of(hooks, steps=4):
    torch.manual_seed(0)
    model = build()
    fix_pairs(model)
    for hook in hooks:
        hook.before_train(SimpleNamespace(model=model))
    wrapper = OptimWrapper(torch.optim.AdamW(model.parameters(), lr=1e-3))
    images, samples = batch()
    data = dict(inputs=images, data_samples=samples)
    log = [model.train_step(data, wrapper) for _ in range(steps)]
    return model, torch.stack([entry['loss'].detach() for entry in log])


@old_torch.no_compile
def test_one_graph_for_the_backbone_with_the_tap():
    torch._dynamo.reset()
    _, expected = losses_of([])
    backend = CountingBackend()
    model, found = losses_of([CompileHook(backend=backend, fullgraph=True)])
    torch.testing.assert_close(found, expected)
    # The trial before it has a graph of its own.
    assert len(backend.graphs) == 2
    assert deepcopy(model).backbone._compiled_call_impl is None


def test_what_cannot_be_compiled_is_said_before_training():
    def broken(module, inputs):
        raise RuntimeError('no compiler')

    torch._dynamo.reset()
    with pytest.raises(UsageError, match='leave mmdrloc.CompileHook out'):
        losses_of([CompileHook(backend=broken)])


def test_channels_last():
    _, expected = losses_of([])
    model, found = losses_of([ChannelsLastHook()])
    weight = model.backbone.patch_embed.projection.weight
    assert weight.is_contiguous(memory_format=torch.channels_last)
    torch.testing.assert_close(found, expected)


def test_the_model_inside_a_wrapper(monkeypatch):
    monkeypatch.setattr(MMDistributedDataParallel, '__init__', bare_init)
    model = build()
    wrapped = MMDistributedDataParallel(model)
    ChannelsLastHook().before_train(SimpleNamespace(model=wrapped))
    weight = model.backbone.patch_embed.projection.weight
    assert weight.is_contiguous(memory_format=torch.channels_last)


def bare_init(self, module):
    """Of a wrapper that needs no process group."""
    torch.nn.Module.__init__(self)
    self.module = module
