"""Supervised contrast against the sum of its definition."""

import math

import old_torch
import pytest
import torch
import torch.nn.functional as F
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.structures import DataSample
from toy_run import on_two_processes

from mmdrloc.models.selfsup.supcon import supervised_contrastive_loss


def test_loss_is_the_sum_of_its_definition():
    torch.manual_seed(0)
    z = F.normalize(torch.randn(6, 4).double(), dim=1)
    labels = [0, 1, 0, 0, 1, 0]
    total = 0
    for i, label in enumerate(labels):
        others = [j for j in range(6) if j != i]
        positives = [j for j in others if labels[j] == label]
        norm = sum(math.exp(z[i] @ z[a] / 0.5) for a in others)
        for p in positives:
            likelihood = math.exp(z[i] @ z[p] / 0.5) / norm
            total -= math.log(likelihood) / len(positives)
    loss = supervised_contrastive_loss(z, torch.tensor(labels), 0.5)
    assert torch.isclose(loss, torch.tensor(total / 6).double())


def build():
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    return MODELS.build(
        dict(
            type='mmdrloc.SupCon',
            backbone=dict(type='mmpretrain.LeNet5'),
            neck=dict(
                type='mmpretrain.NonLinearNeck',
                in_channels=120,
                hid_channels=8,
                out_channels=4,
                norm_cfg=dict(type='BN1d'),
            ),
        )
    )


def samples(*labels):
    return [DataSample().set_gt_label(label) for label in labels]


def test_all_crops_of_an_image_have_its_label():
    model = build().eval()
    crops = list(torch.randn(3, 4, 1, 32, 32))
    loss = model.loss(crops, samples(0, 1, 1, 2))['loss']
    each = [model.neck(model.backbone(one))[0] for one in crops]
    of_images = torch.stack([F.normalize(one, dim=1) for one in each], 1)
    labels = torch.tensor([0, 1, 1, 2]).repeat_interleave(3)
    expected = supervised_contrastive_loss(
        of_images.flatten(0, 1), labels, 0.5
    )
    assert torch.isclose(loss, expected, rtol=1e-5)


@pytest.mark.parametrize('dtype', [None, *old_torch.MIXED])
def test_gradients_reach_the_backbone(dtype):
    model = build()
    crops = list(torch.randn(2, 3, 1, 32, 32))
    with torch.autocast('cpu', dtype, enabled=dtype is not None):
        loss = model.loss(crops, samples(1, 2, 1))['loss']
    loss.backward()
    gradients = [p.grad for p in model.backbone.features.parameters()]
    assert all(g.isfinite().all() and g.abs().sum() > 0 for g in gradients)


LABELS = [0, 1, 1, 2]


def test_processes_see_the_images_of_each_other(tmp_path):
    crops = list(torch.randn(2, 4, 1, 32, 32))

    def loss_of(part):
        images = [one[part] for one in crops]
        losses = build().eval().loss(images, samples(*LABELS[part]))
        return losses['loss'].item()

    def of_half(rank):
        torch.set_num_threads(1)
        return str(loss_of(slice(2 * rank, 2 * rank + 2)))

    alone = pytest.approx(loss_of(slice(4)), rel=1e-6)
    for each in on_two_processes(tmp_path, of_half):
        assert float(each) == alone
