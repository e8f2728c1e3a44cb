"""The ViTs: numbers, start and recipes."""

import math

import pytest
import torch
from model_configs import build, build_shapes, size
from torch import nn

ARCH = dict(embed_dims=24, num_layers=2, num_heads=3, feedforward_channels=96)


@pytest.mark.parametrize(
    'name,count',
    [
        ('vit-b16', 86_540_008),
        ('scratch_100e/vit-b16_drloc', 86_540_008 + 1_050_626),
        ('deit-tiny', 5_717_416),
    ],
)
def test_number_of_parameters(name, count):
    assert size(build_shapes(name).parameters()) == count


def test_starts_as_pytorch_does():
    torch.manual_seed(0)
    model = build('vit-b16', **{'backbone.arch': dict(ARCH, embed_dims=192)})
    model.init_weights()
    backbone = model.backbone
    for embedding in (backbone.pos_embed, backbone.cls_token):
        assert float(embedding.detach().std()) == pytest.approx(1, abs=0.1)
    linears = [m for m in model.modules() if isinstance(m, nn.Linear)]
    convolution = backbone.patch_embed.projection
    assert len(linears) == 2 * 4 + 1
    for layer in [*linears, convolution]:
        # Uniform up to 1 / sqrt(fan in), weights and biases alike.
        bound = 1 / math.sqrt(layer.weight[0].numel())
        assert 0.98 * bound < float(layer.weight.detach().abs().max()) <= bound
        if layer.bias is not None:
            assert 0.8 * bound < float(layer.bias.detach().abs().max()) < bound
