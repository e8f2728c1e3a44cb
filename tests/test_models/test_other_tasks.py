"""Auxiliary tasks that DRLoc is compared with."""

import numpy as np
import pytest
import torch
from mmpretrain.structures import DataSample

from mmdrloc.models.other_tasks import AbsoluteCellLoss
from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError

VIT = dict(
    type='mmpretrain.VisionTransformer',
    arch=dict(
        embed_dims=12, num_layers=2, num_heads=3, feedforward_channels=24
    ),
    img_size=(8, 16),
    patch_size=4,
    with_cls_token=False,
    out_type='avg_featmap',
)
HEAD = dict(type='mmpretrain.LinearClsHead', num_classes=3, in_channels=12)


PLAIN = dict(type='mmpretrain.ImageClassifier', backbone=VIT, head=HEAD)


def masked_classifier(**options):
    return MODELS.build(
        dict(
            PLAIN,
            type='mmdrloc.MaskedPixelsClassifier',
            source='layers.1',
            in_channels=12,
            patch_size=4,
            **options,
        )
    )


def batch():
    images = torch.randn(2, 3, 8, 16)
    return images, [DataSample().set_gt_label(n) for n in (0, 2)]


def test_absolute_cells_are_rows_and_columns_of_the_first_cell():
    pairs = torch.randint(0, 5, (2, 7, 4))
    said = torch.randn(2, 7, 2, dtype=torch.float64)
    loss = AbsoluteCellLoss()(said, pairs, (5, 9))
    where = pairs[..., :2].numpy() / np.array([5, 9])
    assert loss.item() == pytest.approx(np.abs(said.numpy() - where).mean())


def test_the_pixels_of_blank_cells_alone_are_compared():
    model = masked_classifier(mask_ratio=0.5)
    images, samples = batch()
    torch.nn.init.zeros_(model.pixels.weight)
    torch.nn.init.zeros_(model.pixels.bias)
    seen = []
    model.backbone.register_forward_pre_hook(lambda _, x: seen.append(x[0]))
    losses = model.loss(images, samples)
    blank = (seen[0] == 0) & (images != 0)
    assert 0 < blank.sum() < blank.numel()
    cells = blank[:, 0].unflatten(1, (2, 4)).unflatten(3, (4, 4))
    assert (cells == cells[:, :, :1, :, :1]).all()  # whole cells
    expected = 0.5 * (images[blank] ** 2).mean()
    assert losses['loss_pixels'].item() == pytest.approx(expected.item())


def test_each_cell_gets_its_own_pixels():
    model = masked_classifier(mask_ratio=1.0)
    images, samples = batch()
    wanted = torch.randn(3 * 16, requires_grad=False)
    torch.nn.init.zeros_(model.pixels.weight)
    model.pixels.bias.data = wanted
    cell = wanted.view(3, 4, 4)
    images = cell.repeat(2, 1, 2, 4)
    losses = model.loss(images, samples)
    assert losses['loss_pixels'].item() == pytest.approx(0, abs=1e-10)


@pytest.mark.parametrize(
    'init_cfg', [None, dict(type='TruncNormal', layer='Linear', std=0.02)]
)
def test_the_classifier_starts_as_without_the_task(init_cfg):
    torch.manual_seed(0)
    plain = MODELS.build(dict(PLAIN, init_cfg=init_cfg))
    plain.init_weights()
    torch.manual_seed(0)
    masked = masked_classifier(init_cfg=init_cfg)
    masked.init_weights()
    for name, tensor in plain.state_dict().items():
        assert tensor.equal(masked.state_dict()[name]), name


@pytest.mark.parametrize(
    'options',
    [dict(mask_ratio=25), dict(mask_ratio=-0.1), dict(pixel_weight=-1)],
)
def test_numbers_that_cannot_be(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        masked_classifier(**options)


def test_the_logged_loss_is_the_one_that_is_minimised():
    model = masked_classifier()
    total, logged = model.parse_losses(model.loss(*batch()))
    assert logged['loss'] == total
    both = logged['loss_cls'] + logged['loss_pixels']
    assert total.item() == pytest.approx(both.item())
