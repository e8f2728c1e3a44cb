"""The ViTs: numbers, start and recipes."""

import math

import pytest
import torch
from model_configs import build, build_shapes, size, training_losses
from torch import nn

ARCH = dict(embed_dims=24, num_layers=2, num_heads=3, feedforward_channels=96)
TINY = {
    'backbone.arch': ARCH,
    'backbone.img_size': 64,
    'head.in_channels': 24,
}


def build_tiny(name='vit-b16', **changes):
    return build(name, num_classes=5, **TINY, **changes)


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


@pytest.mark.parametrize('name', ['vit-b16', 'deit-tiny'])
def test_a_checkpoint_is_not_overwritten(name, tmp_path):
    backbone = build_tiny(name).backbone
    backbone.init_weights()
    path = tmp_path / 'vit.pth'
    torch.save(backbone.state_dict(), path)
    init_cfg = dict(type='Pretrained', checkpoint=str(path))
    other = build_tiny(name, **{'backbone.init_cfg': init_cfg})
    other.init_weights()
    for key, tensor in other.backbone.state_dict().items():
        assert tensor.equal(backbone.state_dict()[key]), key


def test_layers_as_used():
    backbone = build_shapes('vit-b16').backbone
    assert backbone.drop_after_pos.p == 0
    for layer in backbone.layers:
        assert layer.attn.qkv.bias is None
        assert layer.attn.proj_drop.p == 0.1
        modules = layer.ffn.modules()
        rates = [m.p for m in modules if type(m) is nn.Dropout]
        assert rates == [0.1, 0.1]
        assert layer.ln1.eps == layer.ln2.eps == 1e-5
    assert backbone.ln1.eps == 1e-5


@pytest.mark.parametrize(
    'folder, pool', [('scratch_100e', 'avg2x2'), ('official', None)]
)
def test_drloc_training_step(folder, pool):
    torch.manual_seed(0)
    model = build_tiny(
        f'{folder}/vit-b16_drloc',
        **{'auxiliary_head.source': 'layers.1'},
        **{'auxiliary_head.in_channels': 24},
    )
    model.init_weights()
    assert model.auxiliary_head.pool == pool
    # PyTorch's own start: biases are not zero.
    assert model.auxiliary_head.mlps[0].layers[0].bias.any()
    losses = training_losses(model, 64)
    assert losses['loss_drloc'] == pytest.approx(0.01 * losses['drloc_raw'])
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
