"""Networks start as their authors' code starts them (docs/backbones.md)."""

import pytest
import timm
import torch
import torchvision
from mmpretrain.registry import MODELS
from model_configs import build
from recipe_configs import resolve
from torch import nn

KINDS = (nn.Linear, nn.Conv2d, nn.LayerNorm, nn.BatchNorm2d)


def started(name):
    torch.manual_seed(0)
    model = build(name)
    model.init_weights()
    return model


def numbers_of(model):
    """All numbers of a kind of layer, by its name, parameter and shape."""
    found = {}
    for module in model.modules():
        if isinstance(module, KINDS):
            for name, parameter in module.named_parameters():
                key = (type(module).__name__, name, tuple(parameter.shape))
                found.setdefault(key, []).append(parameter.detach().flatten())
    return {key: torch.cat(parts) for key, parts in found.items()}


def assert_same_moments(ours, mean, std, key):
    """Within a few standard errors of what is expected."""
    count = len(ours)
    assert abs(float(ours.mean()) - mean) <= 8 * std / count**0.5, key
    assert abs(float(ours.std()) - std) <= 8 * std / count**0.5, key


@pytest.mark.parametrize(
    'name, reference',
    [
        ('resnet-50', torchvision.models.resnet50),
        ('swin-tiny', timm.models.swin_tiny_patch4_window7_224),
        ('deit-tiny', timm.models.deit_tiny_patch16_224),
        ('pvtv2-b0', timm.models.pvt_v2_b0),
    ],
)
def test_as_the_reference(name, reference):
    ours = numbers_of(started(name))
    torch.manual_seed(1)
    theirs = numbers_of(reference())
    assert ours.keys() == theirs.keys()
    for key, numbers in theirs.items():
        mean, std = float(numbers.mean()), float(numbers.std())
        if std == 0:
            assert (ours[key] == mean).all(), key
        else:
            assert_same_moments(ours[key], mean, std, key)


@pytest.mark.parametrize(
    'name, linear_std',
    [('cvt-13', None), ('vit-b16', None), ('t2t-vit-14', 0.02)],
)
def test_as_the_authors_code_says(name, linear_std):
    """Linear layers: truncated normal, or PyTorch's as all convolutions."""
    for module_name, module in started(name).named_modules():
        if not isinstance(module, (nn.Linear, nn.Conv2d)):
            continue
        std = (3 * module.weight[0].numel()) ** -0.5
        if linear_std is not None and isinstance(module, nn.Linear):
            std = linear_std
            assert module.bias is None or not module.bias.any(), module_name
        weight = module.weight.detach().flatten()
        # PyTorch's truncated normal puts about one number of 2**24 on its
        # bound, a hundred deviations away.
        usual = weight[weight.abs() < 1]
        assert len(usual) >= len(weight) - 1
        assert_same_moments(usual, 0, std, module_name)


def test_a_swin_without_positions():
    """The tables of offsets are 0 and are not trained; all else is Swin's."""
    config = dict(resolve('scratch_100e/swin-tiny').model.backbone)
    model = MODELS.build(dict(config, type='mmdrloc.SwinWithoutPositions'))
    model.init_weights()
    tables = {
        name: parameter
        for name, parameter in model.named_parameters()
        if 'relative_position' in name
    }
    assert len(tables) == 12
    for parameter in tables.values():
        assert not parameter.any() and not parameter.requires_grad
    assert model.stages[0].blocks[0].ffn.layers[0][0].weight.any()
