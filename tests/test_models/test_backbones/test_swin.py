"""Swin with other kernels computes what mmpretrain's Swin computes."""

import pytest
import torch
from mmengine.registry import init_default_scope
from mmengine.runner.utils import set_random_seed
from mmpretrain.models.utils.attention import ShiftWindowMSA, WindowMSA
from mmpretrain.registry import MODELS
from tiny_classifier import batch, fix_pairs
from tiny_classifier import build as build_classifier

from mmdrloc.models.backbones.swin import (
    CompilableShiftWindowMSA,
    FusedWindowMSA,
    PatchMerging,
    ReshapedPatchMerging,
)

ARCH = dict(embed_dims=8, depths=[2, 2, 2], num_heads=[1, 2, 4])


@pytest.fixture
def fused(monkeypatch):
    """The GPU's way, on this machine."""
    monkeypatch.setattr(FusedWindowMSA, 'forward', FusedWindowMSA.fused)


def build(scope, **options):
    init_default_scope('mmpretrain')
    set_random_seed(0)
    options = dict(
        arch=ARCH,
        window_size=4,
        out_indices=(0, 1, 2),
        drop_path_rate=0.3,
        pad_small_map=True,
        **options,
    )
    model = MODELS.build(dict(type=f'{scope}.SwinTransformer', **options))
    model.init_weights()
    return model


def twins(**options):
    return [build(scope, **options) for scope in ('mmpretrain', 'mmdrloc')]


def attentions(attn_drop=0.0):
    """Ours and the parent's, with the same weights and a visible bias."""
    torch.manual_seed(0)
    pair = [
        kind(12, (4, 4), 3, attn_drop=attn_drop)
        for kind in (WindowMSA, FusedWindowMSA)
    ]
    torch.nn.init.normal_(pair[0].relative_position_bias_table)
    pair[1].load_state_dict(pair[0].state_dict(), strict=True)
    return pair


def masks():
    """What no shift, and a shift of two cells of 8 x 12, add."""
    return [None, ShiftWindowMSA.get_attn_mask((8, 12), 4, 2)]


@pytest.mark.parametrize('mask', masks(), ids=['whole', 'shifted'])
def test_attention_and_its_gradients(fused, mask):
    found = []
    for module in attentions():
        torch.manual_seed(1)
        x = torch.randn(12, 16, 12, requires_grad=True)
        out = module(x, mask)
        out.square().sum().backward()
        found.append([out, x.grad, *(p.grad for p in module.parameters())])
    torch.testing.assert_close(*found, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize('mask', masks(), ids=['whole', 'shifted'])
def test_attention_in_bfloat16(fused, mask):
    torch.manual_seed(1)
    x = torch.randn(12, 16, 12)
    stock, ours = attentions()
    exact = stock(x, mask)
    with torch.autocast('cpu', dtype=torch.bfloat16):
        found = ours(x, mask)
    assert found.dtype == torch.bfloat16
    torch.testing.assert_close(found.float(), exact, rtol=0.02, atol=0.02)


def test_attention_is_dropped_in_training_alone(fused):
    stock, ours = attentions(attn_drop=0.5)
    x = torch.randn(12, 16, 12)
    torch.testing.assert_close(ours.eval()(x), stock.eval()(x))
    ours.train()
    assert not torch.equal(ours(x), ours(x))
    torch.manual_seed(0)
    mean = torch.stack([ours(x) for _ in range(500)]).mean(0)
    torch.testing.assert_close(mean, stock(x), rtol=0, atol=0.1)


@pytest.mark.parametrize('options', [{}, dict(with_cp=True)])
@pytest.mark.parametrize('size', [(64, 64), (56, 72), (36, 44)])
def test_network_and_its_gradients(fused, size, options):
    """Also where windows are padded and maps are odd."""
    found = []
    for model in twins(**options):
        torch.manual_seed(1)  # of drop path too
        images = torch.randn(2, 3, *size)
        outs = model(images)
        sum(out.square().mean() for out in outs).backward()
        gradients = [p.grad for p in model.parameters()]
        found.append([*outs, *gradients])
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize('shape', [(7, 7), (14, 21), (28, 7)])
def test_mask_of_shifted_windows(shape):
    found = CompilableShiftWindowMSA.get_attn_mask(shape, 7, 3)
    assert torch.equal(found, ShiftWindowMSA.get_attn_mask(shape, 7, 3))
    assert CompilableShiftWindowMSA.get_attn_mask(shape, 7, 0) is None


def test_what_cpus_compute_has_not_changed_by_a_bit():
    images = torch.randn(1, 3, 56, 72)
    outs = []
    for model in twins():
        model.eval()
        outs.append(model(images))
    for stock, ours in zip(*outs):
        assert torch.equal(stock, ours)


def test_checkpoints_serve_both():
    stock, ours = twins()
    kinds = {type(module) for module in ours.modules()}
    assert {FusedWindowMSA, ReshapedPatchMerging} <= kinds
    assert not {WindowMSA, ShiftWindowMSA, PatchMerging} & kinds
    state = stock.state_dict()
    for name, value in ours.state_dict().items():
        assert torch.equal(value, state.pop(name)), name
    assert not state
    ours.load_state_dict(stock.state_dict(), strict=True)


def test_other_merging_stays_the_parents():
    stage = dict(downsample_cfg=dict(kernel_size=3, stride=2, padding=1))
    stock, ours = twins(stage_cfgs=stage)
    assert not any(isinstance(m, ReshapedPatchMerging) for m in ours.modules())
    x = torch.randn(1, 3, 64, 64)
    torch.manual_seed(2)
    expected = stock(x)
    torch.manual_seed(2)
    torch.testing.assert_close(ours(x), expected)


def train(scope, steps):
    model = build_classifier()
    # Two blocks a stage: the second one's windows are shifted.
    arch = dict(embed_dims=8, depths=[2, 2], num_heads=[1, 2])
    torch.manual_seed(0)
    model.backbone = MODELS.build(
        dict(
            type=f'{scope}.SwinTransformer',
            arch=arch,
            window_size=3,
            out_indices=(1,),
            drop_path_rate=0.0,
        )
    )
    model.backbone.init_weights()
    fix_pairs(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    images, samples = batch()
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss, _ = model.parse_losses(model.loss(images, samples))
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)


@pytest.mark.slow
def test_curves_of_200_steps_lie_on_each_other(fused):
    stock, ours = (train(scope, 200) for scope in ('mmpretrain', 'mmdrloc'))
    assert stock[-1] < 0.5 * stock[0]
    torch.testing.assert_close(ours, stock, rtol=1e-4, atol=1e-4)
