"""Weights of a network that is nearly the one: refused, not cut to fit."""

import pytest
import timm
import torch
from mmengine.registry import init_default_scope
from mmpretrain.models import VisionTransformer
from torch.optim.swa_utils import AveragedModel

from mmdrloc.checkpoints.load import load
from mmdrloc.checkpoints.origins import recognise
from mmdrloc.models.backbones.timm_backbone import TIMMBackbone
from mmdrloc.utils.errors import UsageError

ARCH = dict(embed_dims=48, num_layers=1, num_heads=3, feedforward_channels=192)
SMALL = dict(embed_dim=48, depth=1, num_heads=3, num_classes=5)


def loaded(module, weights):
    part = dict(place='model.backbone', checkpoint=dict(state_dict=weights))
    return load(module, 'file', 'train', **part)


def vit(**options):
    torch.manual_seed(0)
    network = timm.models.VisionTransformer(
        **{'img_size': 64, 'patch_size': 16, **SMALL, **options}
    )
    return network.eval()


def ours(size=64, **options):
    init_default_scope('mmpretrain')
    network = VisionTransformer(
        arch=ARCH, img_size=size, patch_size=16, **options
    )
    network.eval()
    return network


def of_timm(**options):
    return TIMMBackbone(
        model_name='vit_tiny_patch16_224',
        img_size=64,
        embed_dim=48,
        depth=1,
        num_heads=3,
        **options,
    )


@pytest.mark.parametrize('features', [False, True])
@pytest.mark.parametrize('given', ['resnet34', 'seresnet18'])
def test_a_deeper_network_of_timm_or_one_with_more_in_it(given, features):
    weights = timm.create_model(given, num_classes=5).state_dict()
    network = TIMMBackbone(model_name='resnet18', features_only=features)
    with pytest.raises(UsageError, match='unexpected'):
        loaded(network, weights)
    weights = timm.create_model('resnet18', num_classes=5).state_dict()
    weights['mask_token'] = torch.zeros(1)  # of a pre-training
    audit = loaded(network, weights)
    assert not audit.faults and 'mask_token' in audit.dropped


def test_a_norm_that_the_network_leaves_out():
    weights = vit(pre_norm=True).state_dict()
    weights['patch_embed.proj.bias'] = torch.zeros(48)
    with pytest.raises(UsageError, match='norm_pre'):
        loaded(of_timm(), weights)


def test_positions_that_the_network_does_without():
    network, weights = of_timm(pos_embed='none'), vit().state_dict()
    with pytest.raises(UsageError, match='1 unexpected.*pos_embed'):
        loaded(network, weights)
    del weights['pos_embed']
    assert not loaded(network, weights).faults


def test_tensors_for_which_there_is_no_rule():
    with pytest.raises(UsageError, match='q_norm'):
        loaded(ours(), vit(qk_norm=True).state_dict())


def test_the_norm_of_averaged_tokens():
    """As of EVA, and of MAE's encoder once it is fine-tuned."""
    network = vit(global_pool='avg', fc_norm=True)
    torch.nn.init.normal_(network.fc_norm.weight)
    one = ours(out_type='avg_featmap', final_norm=False)
    assert not loaded(one, network.state_dict()).expected_missing
    images = torch.randn(2, 3, 64, 64)
    features = network.forward_head(
        network.forward_features(images), pre_logits=True
    )
    torch.testing.assert_close(one(images)[0], features)


def test_positions_of_a_grid_two_wider_than_high():
    """With the class token 15 x 15, as of DeiT III: 14 x 16 all the same."""
    network, size = vit(img_size=(224, 256)), (224, 256)
    torch.nn.init.normal_(network.pos_embed)
    one = ours(size)
    loaded(one, network.state_dict())
    images = torch.randn(2, 3, *size)
    features = network.forward_features(images)[:, 0]
    torch.testing.assert_close(one(images)[0], features)


def test_positions_that_are_not_square_for_mmseg():
    segmentors = pytest.importorskip('mmseg.models.backbones')
    network = segmentors.VisionTransformer(
        img_size=(64, 64),
        patch_size=16,
        embed_dims=48,
        num_layers=1,
        num_heads=3,
        final_norm=True,
        patch_bias=True,
    )
    with pytest.raises(UsageError, match='pos_embed'):
        loaded(network, vit(img_size=(32, 96)).state_dict())
    assert not loaded(network, vit(img_size=32).state_dict()).faults


def test_an_averaged_model_of_torch():
    network = vit()
    origin, weights = recognise(AveragedModel(network).state_dict(), 'file')
    assert origin.name == 'vit-timm'
    assert weights.keys() == network.state_dict().keys()


def test_timm_resizes_in_the_precision_of_the_network():
    """Positions for other images: said to be resized, and of 32 bits."""
    of_64, of_32 = (
        TIMMBackbone(
            model_name='vit_tiny_patch16_224',
            img_size=side,
            embed_dim=48,
            depth=1,
        )
        for side in (64, 32)
    )
    torch.nn.init.normal_(of_64.timm_model.pos_embed)
    weights = {n: t.half() for n, t in of_64.timm_model.state_dict().items()}
    audit = loaded(of_32, weights)
    assert audit.resized == ['timm_model.pos_embed']
    found = of_32.timm_model.pos_embed.clone()
    loaded(of_32, {name: tensor.float() for name, tensor in weights.items()})
    torch.testing.assert_close(found, of_32.timm_model.pos_embed)
