"""The ViTs have the published numbers of parameters."""

import pytest
import torch
from model_configs import build_shapes, size

from mmdrloc.registry import MODELS


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


@pytest.mark.parametrize('kind', ['DeiT', 'DRLocViT'])
@pytest.mark.parametrize('with_cls_token', [True, False])
def test_with_and_without_a_class_token(kind, with_cls_token):
    vit = MODELS.build(
        dict(
            type=f'mmdrloc.{kind}',
            arch=dict(
                embed_dims=32,
                num_layers=1,
                num_heads=2,
                feedforward_channels=8,
            ),
            img_size=64,
            patch_size=8,
            with_cls_token=with_cls_token,
            out_type='avg_featmap',
        )
    )
    vit.init_weights()
    deviation = dict(DeiT=0.02, DRLocViT=1.0)[kind]
    drawn = (
        [vit.pos_embed, vit.cls_token] if with_cls_token else [vit.pos_embed]
    )
    for tokens in drawn:
        assert float(tokens.std()) == pytest.approx(deviation, rel=0.3)
    assert vit(torch.randn(1, 3, 64, 64))[0].shape == (1, 32)
