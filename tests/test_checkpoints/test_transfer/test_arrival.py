"""What would arrive is known without loading it."""

import pytest
import tiny_classifier
import torch
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS
from torch import nn

from mmdrloc.checkpoints.transfer import audit_loading, fitting
from mmdrloc.utils.errors import UsageError


def test_model_is_left_as_it_is():
    model = tiny_classifier.build()
    before = {k: v.clone() for k, v in model.state_dict().items()}
    audit = audit_loading(model, {k: v + 1 for k, v in before.items()})
    assert len(audit.loaded) == len(before) and not audit.faults
    after = model.state_dict()
    assert all(after[k].equal(v) for k, v in before.items())


def vit(size):
    init_default_scope('mmpretrain')
    arch = dict(
        embed_dims=8, num_layers=1, num_heads=2, feedforward_channels=8
    )
    return MODELS.build(
        dict(type='VisionTransformer', arch=arch, img_size=size, patch_size=8)
    )


def test_what_the_model_resizes_has_come():
    audit = audit_loading(vit(32), vit(64).state_dict())
    assert not audit.faults and 'pos_embed' in audit.loaded


def test_counters_of_old_batch_norms_are_no_loss():
    weights = nn.BatchNorm2d(2).state_dict()
    del weights['num_batches_tracked']
    audit = audit_loading(nn.BatchNorm2d(2), weights)
    assert not audit.faults


@pytest.mark.parametrize('partial', [False, True])
def test_parts(partial):
    weights = dict(nn.Linear(3, 2).state_dict(), other=torch.ones(1))
    model = nn.Linear(4, 2)
    if not partial:
        with pytest.raises(UsageError, match='unexpected .*: other; 1 of ano'):
            fitting(model, weights, 'a.pth')
        return
    kept, audit = fitting(model, weights, 'a.pth', partial=True)
    assert set(kept) == {'bias'}
    assert audit.mismatched == ['weight'] and audit.unexpected == ['other']


def test_announced_names_may_be_missing():
    weights = {'0.weight': torch.ones(2, 2), '0.bias': torch.ones(2)}
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    with pytest.raises(UsageError, match='2 missing .*: 1.weight, 1.bias'):
        fitting(model, weights, 'a.pth')
    _, audit = fitting(model, weights, 'a.pth', ['1.'])
    assert audit.expected_missing == ['1.weight', '1.bias']
