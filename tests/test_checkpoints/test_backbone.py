"""Converted weights against the backbones of configs, and their features."""

from functools import partial

import pytest
import timm
import torch
from foreign_networks import TINYVIT
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.models import (
    BEiTViT,
    SwinTransformer,
    VisionTransformer,
    ViTEVA02,
)

from mmdrloc.checkpoints.convert import convert
from mmdrloc.checkpoints.load import load
from mmdrloc.utils.errors import UsageError

SWIN = dict(
    type='SwinTransformer',
    arch=dict(embed_dims=16, depths=[1, 1], num_heads=[1, 2]),
    img_size=56,
    out_indices=(0, 1),
)
VIT = dict(
    type='VisionTransformer',
    arch=dict(
        embed_dims=16, num_layers=1, num_heads=2, feedforward_channels=32
    ),
    img_size=32,
    patch_size=8,
)


def config(backbone):
    return Config(
        dict(default_scope='mmpretrain', model=dict(backbone=backbone))
    )


@pytest.fixture
def fit(tmp_path):
    """Convert weights for a backbone."""

    def fit(weights, backbone):
        torch.save(weights, tmp_path / 'a.pth')
        return convert(tmp_path / 'a.pth', config(backbone))

    return fit


def checkpoint(network, **changes):
    weights = {**network.state_dict(), **changes}
    return {f'backbone.{name}': tensor for name, tensor in weights.items()}


def arguments(backbone, **changes):
    return {k: v for k, v in {**backbone, **changes}.items() if k != 'type'}


def test_a_backbone_that_fits(fit):
    source = SwinTransformer(**arguments(SWIN, out_indices=(1,)))
    given = checkpoint(source)
    for name in [n for n in given if n.endswith('relative_position_index')]:
        del given[name]  # which the network computes
    fitted, audit = fit({**given, 'head.fc.weight': torch.ones(1)}, SWIN)
    assert len(audit.computed) == 2
    assert sorted(f'backbone.{n}' for n in audit.loaded) == sorted(given)
    assert audit.expected_missing == ['norm0.weight', 'norm0.bias']
    assert audit.dropped == ['head.fc.weight']
    for name, tensor in given.items():
        assert fitted['state_dict'][name].equal(tensor)


def test_what_a_network_computes_of_the_image_size(fit):
    """The frequencies of rotary positions."""
    given = dict(
        type='mmpretrain.ViTEVA02',
        arch=dict(
            embed_dims=16, num_layers=1, num_heads=2, feedforward_channels=32
        ),
        img_size=32,
        patch_size=8,
    )
    weights = checkpoint(ViTEVA02(**arguments(given)))
    _, audit = fit(weights, dict(given, img_size=48))
    assert audit.resized == ['pos_embed'] and not audit.faults
    frequencies = ['rope.freqs_cos', 'rope.freqs_sin']
    assert sorted(audit.computed) == [
        *(f'layers.0.attn.{name}' for name in frequencies),
        *frequencies,
    ]


def test_what_detectors_have_no_use_for(fit):
    source = SwinTransformer(**arguments(SWIN, out_indices=(1,)))
    weights = checkpoint(source, mask_token=torch.ones(1, 1, 16))
    fitted, audit = fit(weights, dict(SWIN, out_indices=(0,)))
    assert set(audit.dropped) == {'norm1.weight', 'norm1.bias', 'mask_token'}
    assert 'backbone.mask_token' not in fitted['state_dict']


def test_the_norm_of_averaged_tokens_is_new(fit):
    """As where MAE's encoder is fine-tuned on the mean of its tokens."""
    weights = checkpoint(VisionTransformer(**arguments(VIT)))
    _, audit = fit(weights, dict(VIT, out_type='avg_featmap'))
    assert audit.expected_missing == ['ln2.weight', 'ln2.bias']
    del weights['backbone.ln1.weight']
    with pytest.raises(UsageError, match='1 missing.*ln1.weight'):
        fit(weights, dict(VIT, out_type='avg_featmap'))


def test_position_embeddings_are_resized(fit):
    source = VisionTransformer(**arguments(VIT, img_size=64))
    torch.nn.init.normal_(source.pos_embed)
    fitted, audit = fit(checkpoint(source), VIT)
    assert audit.resized == ['pos_embed']
    found = fitted['state_dict']['backbone.pos_embed']
    assert found.shape == (1, 17, 16)
    # The class token's stays, the grid's are interpolated.
    assert found[:, 0].equal(source.pos_embed[:, 0])
    target = VisionTransformer(**arguments(VIT))
    target.load_state_dict({n[9:]: t for n, t in fitted['state_dict'].items()})
    images = torch.rand(1, 3, 32, 32)
    source.eval(), target.eval()
    with torch.no_grad():
        torch.testing.assert_close(source(images)[0], target(images)[0])


DENSE_VIT = dict(VIT, type='mmdrloc.DenseViT', window_size=4)
T2T = dict(
    type='mmdrloc.PerformerT2TViT',
    img_size=64,
    embed_dims=16,
    num_layers=1,
    t2t_cfg=dict(token_dims=8),
    layer_cfgs=dict(num_heads=2, feedforward_channels=32),
)
DENSE_T2T = dict(T2T, type='mmdrloc.DenseT2TViT', window_size=4)
WITHOUT_TOKEN = dict(with_cls_token=False, out_type='featmap')


def built(backbone):
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    network = MODELS.build(backbone)
    for tensor in network.parameters():
        torch.nn.init.normal_(tensor, std=0.2)
    network.eval()
    return network


DISTILLED = dict(VIT, type='DistilledVisionTransformer')


@pytest.mark.parametrize(
    'source,target,tokens',
    [(VIT, DENSE_VIT, 1), (T2T, DENSE_T2T, 1), (DISTILLED, DISTILLED, 2)],
)
def test_positions_of_another_size_are_resized(fit, source, target, tokens):
    shape = (1, tokens + 6 * 6, 16)
    weights = checkpoint(built(source), pos_embed=torch.rand(shape))
    fitted, audit = fit(weights, target)
    assert audit.resized == ['pos_embed']
    found = fitted['state_dict']['backbone.pos_embed']
    assert found.shape == (1, tokens + 16, 16)
    given = weights['backbone.pos_embed']
    assert found[:, :tokens].equal(given[:, :tokens])


@pytest.mark.parametrize('size', [(224, 288), (288, 224), (160, 224)])
def test_tables_of_a_window_that_is_not_square(size):
    """BEiT's, with three rows more; biases favour the same column."""
    build = partial(
        BEiTViT,
        arch=dict(
            embed_dims=12, num_layers=1, num_heads=3, feedforward_channels=24
        ),
        out_type='avg_featmap',
        use_abs_pos_emb=False,
        use_rel_pos_bias=True,
    )
    source, target = build(img_size=224), build(img_size=size)
    name = 'layers.0.attn.relative_position_bias_table'
    distances = torch.arange(-13.0, 14).abs().expand(27, 27)
    state = source.state_dict()
    state[name][:-3] = -distances.reshape(-1, 1)
    audit = load(
        target,
        'b',
        'train',
        place='model.backbone',
        checkpoint={'state_dict': state},
    )
    assert audit.resized == [name]
    table, (rows, columns) = target.state_dict()[name], (n // 16 for n in size)
    torch.testing.assert_close(table[-3:], state[name][-3:])
    grid = table[:-3, 0].reshape(2 * rows - 1, 2 * columns - 1)
    assert grid.argmax(1).eq(columns - 1).all()


def test_tables_of_another_window_are_resized(fit):
    """A ramp over the offsets stays one, from edge to edge of the window."""
    source = SwinTransformer(**arguments(SWIN, window_size=14))
    offsets = torch.arange(-13, 14).float()
    for name, table in source.named_parameters():
        if name.endswith('bias_table'):
            rows, columns = torch.meshgrid(offsets, offsets, indexing='ij')
            ramp = (rows + 10 * columns).reshape(-1, 1)
            table.data.copy_(ramp * torch.ones(table.shape[1]))
    fitted, audit = fit(checkpoint(source), SWIN)
    assert len(audit.resized) == 2 and not audit.missing
    for name in audit.resized:
        found = fitted['state_dict'][f'backbone.{name}']
        grid = found.reshape(13, 13, -1)
        # 27 offsets as 13: each stands for 27 / 13 of them.
        middle = (torch.arange(-6, 7) * 27 / 13)[3:-3]
        expected = middle[:, None] + 10 * middle
        for head in range(grid.shape[2]):
            torch.testing.assert_close(
                grid[3:-3, 3:-3, head], expected, rtol=0, atol=0.6
            )
    with pytest.raises(UsageError, match='of another shape'):
        fit(
            checkpoint(source),
            dict(SWIN, arch=dict(SWIN['arch'], num_heads=[2, 4])),
        )


MMSEG_VIT = dict(
    type='mmseg.VisionTransformer',
    img_size=32,
    patch_size=16,
    embed_dims=192,
    num_layers=1,
    num_heads=3,
    patch_bias=True,
)


@pytest.mark.parametrize(
    'options,words',
    [
        (dict(qk_norm=True), r'attn\.q_norm'),
        (dict(pre_norm=True), r'pre_norm\.weight'),
        ({}, ''),
    ],
    ids=str,
)
def test_norms_that_a_segmentor_lacks_are_refused(fit, options, words):
    network = timm.create_model(
        'vit_tiny_patch16_224', depth=1, img_size=32, **options
    )
    if not words:
        _, audit = fit(network.state_dict(), MMSEG_VIT)
        assert not audit.unexpected and len(audit.loaded) > 10
        return
    with pytest.raises(UsageError, match=words):
        fit(network.state_dict(), MMSEG_VIT)


NO_TOKEN = '1 missing in the checkpoint: cls_token'
MISFITS = {
    'no class token': (dict(VIT, **WITHOUT_TOKEN), DENSE_VIT, NO_TOKEN),
    'another patch': (
        dict(VIT, patch_size=4, img_size=16),
        DENSE_VIT,
        '1 of another shape: patch_embed.projection.weight.',
    ),
    'a wider network of the family': (
        dict(VIT, arch=dict(VIT['arch'], embed_dims=32)),
        VIT,
        'of another shape: cls_token',
    ),
    'another window of TinyViT': (
        dict(TINYVIT, window_size=[4] * 4),
        TINYVIT,
        '3 of another shape: stages.1.blocks.0.attn.attention_biases',
    ),
    'another depth': (
        dict(VIT, arch=dict(VIT['arch'], num_layers=2)),
        DENSE_VIT,
        '12 unexpected in the checkpoint: layers.1',
    ),
}


@pytest.mark.parametrize('name', MISFITS)
def test_what_does_not_fit_a_dense_transformer(fit, name):
    source, target, words = MISFITS[name]
    with pytest.raises(UsageError) as caught:
        fit(checkpoint(built(source)), target)
    assert words in str(caught.value)
    assert 'a.pth does not fit the backbone' in str(caught.value)


@pytest.mark.parametrize('name', ['tiny_vit_5m_224', 'convnext_atto'])
def test_a_file_of_timm_for_a_network_of_timm(fit, name):
    """Of an origin that is known under other names, and of none."""
    backbone = dict(
        type='mmdrloc.TIMMBackbone', model_name=name, features_only=True
    )
    network = timm.create_model(name)
    fitted, audit = fit(network.state_dict(), backbone)
    assert not audit.faults and 'head.fc.weight' in audit.dropped
    for place, tensor in fitted['state_dict'].items():
        inside = place.removeprefix('backbone.timm_model.model.')
        assert tensor.equal(network.state_dict()[inside])


@pytest.mark.parametrize(
    'backbone, then, now',
    [(VIT, dict(img_size=64), {}), (SWIN, dict(window_size=14), {})],
)
def test_half_precision_is_resized_in_that_of_the_network(backbone, then, now):
    source = built(dict(backbone, **then)).half()
    half = {**source.state_dict()}
    found = []
    for state in (half, source.float().state_dict()):
        network = built(dict(backbone, **now))
        audit = load(
            network,
            'a',
            'train',
            place='a part',
            checkpoint=dict(state_dict=state),
        )
        weights = network.state_dict()
        found.append({name: weights[name] for name in audit.resized})
    assert found[0].keys() == found[1].keys() != set()
    assert all(found[0][name].equal(found[1][name]) for name in found[0])
