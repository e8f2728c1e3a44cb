"""Classifiers' networks as backbones: equal features, windows, any size."""

import pytest
import torch
from golden import random_weights
from hypothesis import given, settings
from hypothesis import strategies as st
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.models import VisionTransformer
from model_configs import RECIPES, build

from mmdrloc.models import DenseT2TViT, DenseViT, PerformerT2TViT

NETWORKS = ('deit-tiny', 't2t-vit-14')
VIT = dict(
    arch=dict(
        embed_dims=16, num_layers=4, num_heads=2, feedforward_channels=32
    ),
    img_size=32,
    patch_size=8,
)
T2T = dict(
    img_size=64,
    embed_dims=24,
    num_layers=4,
    t2t_cfg=dict(token_dims=8),
    layer_cfgs=dict(num_heads=3, feedforward_channels=72),
)
TINY = {
    'vit': (DenseViT, VisionTransformer, VIT),
    # DINOv2's layers have scales.
    'dinov2': (
        DenseViT,
        VisionTransformer,
        dict(VIT, patch_size=7, img_size=35, layer_scale_init_value=1e-5),
    ),
    't2t': (DenseT2TViT, PerformerT2TViT, T2T),
}
STRIDES = dict(vit=8, dinov2=7, t2t=16)
every_kind = pytest.mark.parametrize('kind', TINY)


def dense(kind, **changes):
    """A tiny network, and the classifier's that gives a map."""
    ours, theirs, arguments = TINY[kind]
    torch.manual_seed(0)
    network = ours(**{**arguments, **changes})
    changes.pop('window_size', None)
    changes.pop('with_cp', None)
    plain = theirs(**{**arguments, **changes}, out_type='featmap')
    plain.load_state_dict(weights_of(network))
    # mmpretrain's train() returns nothing.
    network.eval(), plain.eval()
    return network, plain


def weights_of(network):
    """Values of both signs that no initialisation would give."""
    weights = {
        name: (tensor - 0.6) / 4
        for name, tensor in random_weights(network).items()
    }
    network.load_state_dict(weights)
    return weights


@pytest.mark.parametrize('name', NETWORKS)
def test_the_classifier_s_features_at_its_size(name):
    """With and without windows; the whole network, by its config."""
    backbone = build(name).backbone
    backbone.eval()
    backbone.out_type = 'featmap'
    weights = weights_of(backbone)
    recipe = RECIPES / f'coco/mask-rcnn_{name}_1x.py'
    network = Config.fromfile(recipe).model.backbone
    network.pop('init_cfg')
    init_default_scope('mmdet')
    side = network.img_size
    images = torch.randn(1, 3, side, side)
    with torch.no_grad():
        (expected,) = backbone(images)
    assert network.window_size == expected.shape[2]
    assert expected.isfinite().all() and expected.std(dim=(2, 3)).max() > 0
    for size in (None, network.window_size):
        model = MODELS.build(dict(network, window_size=size))
        model.eval()
        model.load_state_dict(weights)
        with torch.no_grad():
            found = model(images)
        assert len(found) == 4 and torch.equal(found[-1], expected)


def test_without_the_final_norm():
    network, plain = dense('vit', final_norm=False)
    images = torch.randn(2, 3, 32, 32)
    with torch.no_grad():
        assert torch.equal(network(images)[0], plain(images)[0])


@every_kind
@pytest.mark.parametrize('shape', [(64, 64), (48, 112)])
def test_whole_images_of_other_sizes_equal_the_library_s(kind, shape):
    network, plain = dense(kind, out_indices=(1, 3))
    images = torch.randn(2, 3, *shape)
    with torch.no_grad():
        for found, expected in zip(network(images), plain(images)):
            assert torch.equal(found, expected)


@every_kind
@pytest.mark.parametrize('shape', [(33, 47), (80, 50), (17, 130)])
def test_images_are_padded_to_the_patch(kind, shape):
    network, _ = dense(kind, out_indices=(1, 3), window_size=3)
    stride = STRIDES[kind]
    cells = tuple(-(-length // stride) for length in shape)
    image = torch.randn(1, 3, *shape)
    padded = torch.zeros(1, 3, *(stride * n for n in cells))
    padded[..., : shape[0], : shape[1]] = image
    with torch.no_grad():
        for found, expected in zip(network(image), network(padded)):
            assert found.shape[2:] == cells
            assert torch.equal(found, expected)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 4))
def test_windows_are_nearly_equal_and_put_back(rows, columns, largest):
    network, plain = dense('vit', out_indices=(3,), window_size=largest)
    seen = []
    for model in (network, plain):
        for layer in model.layers[:3]:
            layer.forward = lambda tokens: tokens
    network.layers[0].forward = lambda tokens: seen.append(tokens) or tokens
    image = torch.randn(2, 3, 8 * rows, 8 * columns)
    with torch.no_grad():
        torch.testing.assert_close(network(image), plain(image))
    counts = [len(tokens) // 2 for tokens in seen]
    assert sum(counts) == -(-rows // largest) * -(-columns // largest)
    sizes = [tokens.shape[1] - 1 for tokens in seen]
    assert max(sizes) <= largest**2 and len(sizes) <= 4


@every_kind
def test_only_the_layers_put_out_see_the_whole_image(kind):
    network, _ = dense(kind, out_indices=(1, 3), window_size=3)
    seen = {}
    layers = getattr(network, network.parts[1])
    for index, layer in enumerate(layers):
        layer.register_forward_hook(
            lambda _, inputs, __, index=index: seen.setdefault(
                index, []
            ).append(inputs[0].shape[1] - 1)
        )
    stride = STRIDES[kind]
    network(torch.randn(1, 3, 5 * stride, 7 * stride))
    assert seen[1] == seen[3] == [35]
    assert seen[0] == seen[2] and max(seen[0]) == 9


@every_kind
def test_the_class_tokens_of_windows_are_averaged(kind):
    network, _ = dense(kind, out_indices=(3,), window_size=2)
    layers = getattr(network, network.parts[1])
    left, joined = [], []
    layers[2].register_forward_hook(lambda *call: left.append(call[2][:, 0]))
    layers[3].register_forward_hook(lambda *call: joined.append(call[1][0]))
    stride = STRIDES[kind]
    network(torch.randn(1, 3, 3 * stride, 4 * stride))
    assert len(left) == 2  # of 2 x 2 and of 1 x 2 cells
    torch.testing.assert_close(joined[0][0, 0], torch.cat(left).mean(0))


@every_kind
def test_layers_computed_anew_give_the_same_gradients(kind):
    images = torch.randn(2, 3, 48, 80)
    gradients = []
    for with_cp in (False, True):
        network, _ = dense(
            kind, out_indices=(1, 3), window_size=2, with_cp=with_cp
        )
        network.train()
        sum(cells.sum() for cells in network(images)).backward()
        gradients.append([p.grad for p in network.parameters()])
    for one, other in zip(*gradients):
        assert (one is None) == (other is None)
        if one is not None:
            torch.testing.assert_close(one, other)


def test_no_class_token():
    network, plain = dense('vit', with_cls_token=False, window_size=4)
    image = torch.randn(1, 3, 32, 32)
    with torch.no_grad():
        assert torch.equal(network(image)[0], plain(image)[0])
        assert network(torch.randn(1, 3, 40, 64))[0].shape == (1, 16, 5, 8)


@every_kind
def test_windows_of_a_traced_network(kind):
    """As tools trace it that write it for other programs."""
    network, _ = dense(kind, out_indices=(1, 3), window_size=3)
    image = torch.randn(1, 3, 61, 83)
    with torch.no_grad():
        traced = torch.jit.trace(network, image, check_trace=False)
        for found, expected in zip(traced(image), network(image)):
            torch.testing.assert_close(found, expected)


def test_depths_of_a_t2t():
    """By which layers learn slower, the first of several most."""
    network = DenseT2TViT(**T2T)
    depths = {
        name: network.get_layer_depth(f'backbone.{name}', 'backbone.')[0]
        for name, _ in network.named_parameters()
    }
    assert depths['cls_token'] == depths['tokens_to_token.project.weight'] == 0
    assert depths['encoder.0.ln1.weight'] == 1
    assert depths['encoder.3.ln1.weight'] == 4
    assert depths['norm.weight'] == 5
