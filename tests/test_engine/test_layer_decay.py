"""Learning rates by layers."""

import pytest
from mmengine.optim import build_optim_wrapper
from mmpretrain.models import VisionTransformer
from torch import nn

from mmdrloc.utils.errors import UsageError

ARCH = dict(embed_dims=8, num_layers=2, num_heads=2, feedforward_channels=16)
OPTIMIZER = dict(
    type='OptimWrapper',
    optimizer=dict(type='AdamW', lr=1.0, weight_decay=0.1),
    constructor='mmdrloc.LayerDecayConstructor',
)


class Host(nn.Module):
    """A model with a backbone, which knows nothing of depths."""

    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(8, 3)


def rates_of(**paramwise_cfg):
    host = Host(VisionTransformer(arch=ARCH, img_size=16, patch_size=8))
    paramwise_cfg['layer_decay_rate'] = 0.5
    wrapper = build_optim_wrapper(
        host, dict(OPTIMIZER, paramwise_cfg=paramwise_cfg)
    )
    groups = wrapper.optimizer.param_groups
    assert len(groups) == len(list(host.parameters()))
    return {group['param_name']: group['lr'] for group in groups}


def test_without_weight_decay():
    host = Host(VisionTransformer(arch=ARCH, img_size=16, patch_size=8))
    optimizer = dict(type='SGD', lr=1.0)
    paramwise_cfg = dict(layer_decay_rate=0.5)
    how = dict(optimizer=optimizer, paramwise_cfg=paramwise_cfg)
    with pytest.raises(UsageError, match='weight_decay: give it, 0 for none'):
        build_optim_wrapper(host, {**OPTIMIZER, **how})


def test_depths():
    rates = rates_of()
    assert rates['head.weight'] == rates['backbone.ln1.weight'] == 1
    assert rates['backbone.layers.1.ffn.layers.1.weight'] == 0.5
    assert rates['backbone.layers.0.attn.qkv.bias'] == 0.25
    assert rates['backbone.cls_token'] == rates['backbone.pos_embed'] == 0.125
    assert rates['backbone.patch_embed.projection.weight'] == 0.125


def test_rates_of_custom_keys():
    """Positions that learn at ten times the rate of their layer."""
    rates = rates_of(custom_keys=dict(pos_embed=dict(lr_mult=10)))
    assert rates['backbone.pos_embed'] == 1.25
    assert rates['backbone.cls_token'] == 0.125
