"""The masked auto-encoder: both losses, positions, reconstruction."""

import old_torch
import pytest
import torch
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.structures import DataSample

from mmdrloc.utils.errors import UsageError

SIZE, PATCH, WIDTH = 12, 3, 8
PATCHES = (SIZE // PATCH) ** 2
ARCH = dict(embed_dims=8, num_layers=2, num_heads=2, feedforward_channels=16)


def build(mask_ratio=0.75, **head):
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    model = MODELS.build(
        dict(
            type='mmdrloc.LightMAE',
            backbone=dict(
                type='mmdrloc.LightMAEViT',
                arch=ARCH,
                img_size=SIZE,
                patch_size=PATCH,
                mask_ratio=mask_ratio,
            ),
            neck=dict(
                type='mmdrloc.LightMAEDecoder',
                num_patches=PATCHES,
                patch_size=PATCH,
                embed_dim=WIDTH,
                decoder_embed_dim=WIDTH,
                decoder_depth=1,
                decoder_num_heads=2,
            ),
            head=dict(
                type='mmdrloc.LightMAEHead',
                patch_size=PATCH,
                loss=dict(
                    type='mmpretrain.PixelReconstructionLoss', criterion='L2'
                ),
                **head,
            ),
        )
    )
    model.init_weights()
    return model


def test_weights_of_a_file_stay(tmp_path):
    state = build().backbone.state_dict()
    torch.save(dict(state_dict=state), tmp_path / 'a.pth')
    backbone = MODELS.build(
        dict(
            type='mmdrloc.LightMAEViT',
            arch=ARCH,
            img_size=SIZE,
            patch_size=PATCH,
            init_cfg=dict(
                type='Pretrained', checkpoint=f'{tmp_path / "a.pth"}'
            ),
        )
    )
    backbone.init_weights()
    for name, tensor in backbone.state_dict().items():
        assert torch.equal(tensor, state[name]), name


def images(count=3, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(count, 3, SIZE, SIZE, generator=generator)


def samples(count=3):
    return [DataSample() for _ in range(count)]


def masks_of(model, count):
    tokens = torch.zeros(count, PATCHES, WIDTH)
    return model.backbone.random_masking(tokens, model.backbone.mask_ratio)[1]


def reference_losses(pred, target, mask, weight):
    """Sums over single pixels, in float64, without any patch arithmetic."""
    sums, counts = [0.0, 0.0], [0, 0]
    side = SIZE // PATCH
    for b in range(len(target)):
        for y in range(SIZE):
            for x in range(SIZE):
                patch = (y // PATCH) * side + x // PATCH
                masked = int(mask[b, patch])
                for c in range(3):
                    inside = (y % PATCH) * PATCH + x % PATCH
                    error = pred[b, patch, inside * 3 + c] - target[b, c, y, x]
                    sums[masked] += float(error) ** 2
                    counts[masked] += 1
    visible, masked = (s / c for s, c in zip(sums, counts))
    return masked, weight * visible


@pytest.mark.parametrize('weight', [0.0, 0.1, 1.0])
def test_losses_are_those_of_a_loop_over_pixels(weight):
    model = build(visible_weight=weight)
    generator = torch.Generator().manual_seed(3)
    pred = torch.randn(
        3, PATCHES, PATCH**2 * 3, generator=generator, dtype=torch.float64
    )
    target, mask = images().double(), masks_of(model, 3).double()
    losses = model.head.loss(pred, target, mask)
    masked, visible = reference_losses(pred, target, mask, weight)
    assert float(losses['loss_masked']) == pytest.approx(masked, rel=1e-12)
    assert float(losses['loss_visible']) == pytest.approx(visible, rel=1e-12)


def test_positions_are_learnt():
    model = build()
    for name in ('backbone.pos_embed', 'neck.decoder_pos_embed'):
        positions = model.get_parameter(name)
        assert positions.requires_grad and positions.std() < 0.03


def test_evaluation_is_the_same_twice_and_leaves_the_random_state_alone():
    model = build().eval()
    torch.manual_seed(7)
    state = torch.get_rng_state()
    first = model(images(), samples(), mode='predict')
    assert torch.get_rng_state().equal(state)
    torch.rand(5)
    second = model(images(), samples(), mode='predict')
    assert [s.loss_masked for s in first] == [s.loss_masked for s in second]
    assert all(a.mask.equal(b.mask) for a, b in zip(first, second))


def test_the_mean_over_images_is_the_loss_of_the_batch():
    model = build().eval()
    predicted = model(images(), samples(), mode='predict')
    patches = torch.stack(
        [model.head.patchify(s.reconstruction[None])[0] for s in predicted]
    )
    mask = torch.stack(
        [model.head.patchify(s.mask[None])[0, :, 0] for s in predicted]
    )
    losses = model.head.loss(patches, images(), mask)
    for name, loss in losses.items():
        values = [sample.get(name) for sample in predicted]
        assert sum(values) / 3 == pytest.approx(loss.item(), rel=1e-5)


@pytest.mark.parametrize('dtype', old_torch.MIXED)
def test_mixed_precision(dtype):
    model = build(norm_pix=True)
    with torch.autocast('cpu', dtype):
        losses = model.loss(images(), samples())
    old_torch.assert_learns(model, losses)


@pytest.mark.parametrize('ratio', [0.0, 0.99, 1.0])
def test_a_share_that_hides_all_or_none_is_refused(ratio):
    with pytest.raises(UsageError, match='16 patches visible'):
        build(ratio)


def test_a_training_has_the_loss_of_a_validation():
    """Of the same masks: both draw them first, from seed 0."""
    model = build().eval()
    torch.manual_seed(0)
    losses = model(images(), samples(), mode='loss')
    predicted = model(images(), samples(), mode='predict')
    for name, loss in losses.items():
        values = [sample.get(name) for sample in predicted]
        assert sum(values) / 3 == pytest.approx(loss.item(), rel=1e-5)
