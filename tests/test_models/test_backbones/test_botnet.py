"""BoTNet: attention as PyTorch's, maps as the ResNet's."""

import pytest
import torch
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS
from torch import nn

from mmdrloc.models.backbones.botnet import SelfAttention2d


def test_attention_is_pytorchs():
    ours = SelfAttention2d(64, 2).double()
    theirs = nn.MultiheadAttention(64, 2, bias=False, batch_first=True)
    theirs.double()
    with torch.no_grad():
        theirs.in_proj_weight.copy_(ours.qkv.weight.flatten(1))
        theirs.out_proj.weight.copy_(torch.eye(64))
        images = torch.randn(3, 64, 2, 5, dtype=torch.float64)
        cells = images.flatten(2).transpose(1, 2)
        wanted, _ = theirs(cells, cells, cells)
    wanted = wanted.transpose(1, 2).reshape(3, 64, 2, 5)
    torch.testing.assert_close(ours(images), wanted)


def test_its_maps_are_contiguous():
    """Of one head torch's attention has another layout."""
    maps = SelfAttention2d(64, 1)(torch.randn(3, 64, 2, 5))
    assert maps.is_contiguous()


@pytest.mark.parametrize('stages', [2, 3, 4])
def test_the_last_stage_attends_however_many_there_are(stages):
    init_default_scope('mmdrloc')
    botnet = MODELS.build(
        dict(
            type='mmdrloc.BoTNetCIFAR',
            depth=18,
            base_channels=32,
            num_stages=stages,
            strides=(1, 2, 2, 2)[:stages],
            dilations=(1,) * stages,
            out_indices=(stages - 1,),
        )
    )
    attention = {
        name.split('.')[0]: module.num_heads
        for name, module in botnet.named_modules()
        if isinstance(module, SelfAttention2d)
    }
    # Heads of 32 channels: weights of any number fit.
    assert attention == {f'layer{stages}': 2 ** (stages - 1)}


def test_other_stages_are_the_resnets():
    init_default_scope('mmdrloc')
    same = dict(
        depth=18, base_channels=32, stem_channels=32, out_indices=(0, 1, 2, 3)
    )
    resnet = MODELS.build(dict(type='mmpretrain.ResNet', **same))
    botnet = MODELS.build(
        dict(type='mmdrloc.BoTNet', strides=(1, 2, 2, 1), **same)
    )
    theirs, ours = resnet.state_dict(), botnet.state_dict()
    assert {n.split('.')[0] for n in set(theirs) ^ set(ours)} == {'layer4'}
    botnet.load_state_dict(theirs, strict=False)
    botnet.eval()
    resnet.eval()
    for size, sides in ((64, (16, 8, 4, 4)), (96, (24, 12, 6, 6))):
        images = torch.rand(2, 3, size, size)
        maps, wanted = botnet(images), resnet(images)
        assert [m.shape[2] for m in maps] == list(sides)
        for one, other in zip(maps[:3], wanted):
            assert one.equal(other)
