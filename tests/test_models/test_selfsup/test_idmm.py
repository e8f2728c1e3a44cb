"""Instance discrimination: the poster's gradient, groups, CutMix, labels."""

import numpy as np
import old_torch
import pytest
import torch
from mmengine.dataset import BaseDataset, ConcatDataset, RepeatDataset
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.structures import DataSample

SIZE, IMAGES, CHANNELS, BATCH = 8, 12, 6, 3
SMOOTHED = dict(type='mmpretrain.LabelSmoothLoss', label_smooth_val=0.1)
PLAIN = dict(type='mmpretrain.CrossEntropyLoss', use_soft=True)
DRLOC = dict(
    type='mmdrloc.DRLocIDMM',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.1',
        in_channels=CHANNELS,
        num_pairs=4,
        hidden_channels=8,
        loss=dict(type='mmdrloc.DRLocL1Loss'),
    ),
)


def build(loss=SMOOTHED, **kwargs):
    init_default_scope('mmpretrain')
    torch.manual_seed(0)
    config = dict(
        type='mmdrloc.IDMM',
        backbone=dict(
            type='mmpretrain.VisionTransformer',
            arch=dict(
                embed_dims=CHANNELS,
                num_layers=2,
                num_heads=2,
                feedforward_channels=12,
            ),
            img_size=SIZE,
            patch_size=4,
        ),
        head=dict(
            type='mmpretrain.LinearClsHead',
            num_classes=IMAGES,
            in_channels=CHANNELS,
            loss=loss,
        ),
    )
    model = MODELS.build({**config, **kwargs})
    model.init_weights()
    return model


def crops(count=6, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return list(torch.randn(count, BATCH, 3, SIZE, SIZE, generator=generator))


def test_as_many_classes_as_images():
    model = build()
    assert model.check_datasets(dict(train=range(IMAGES))) == []
    for count in (IMAGES - 1, IMAGES + 1):
        [problem] = model.check_datasets(dict(train=range(count)))
        assert f'set num_classes={count}' in problem


def test_wrapped_data_are_refused():
    """Images of several datasets would have one number, and one class."""
    model = build()

    class Half(BaseDataset):
        def load_data_list(self):
            return [{} for _ in range(IMAGES // 2)]

    half = Half()
    assert 'num_classes=6' in str(model.check_datasets(dict(train=half)))
    for wrapped in (ConcatDataset([half, half]), RepeatDataset(half, 2)):
        [problem] = model.check_datasets(dict(train=wrapped))
        assert f'wrapped in {type(wrapped).__name__}' in problem


def samples(numbers=(5, 0, 11)):
    return [DataSample(metainfo=dict(sample_idx=i)) for i in numbers]


def soft_targets(i, j, mu, eps):
    """C of the poster, as the module's docstring has it."""
    target = torch.full((IMAGES,), eps / IMAGES, dtype=torch.float64)
    target[i] += (1 - eps) * mu
    target[j] += (1 - eps) * (1 - mu)
    return target


class Witness:
    """What goes through a head of the model."""

    def __init__(self, model):
        self.targets, self.features, self.logits = [], [], []
        model.head.fc.register_forward_hook(self.keep)
        model.head.loss_module.register_forward_pre_hook(self.keep_target)

    def keep(self, layer, inputs, output):
        self.features.append(inputs[0].detach())
        self.logits.append(output.detach())

    def keep_target(self, module, inputs):
        self.targets.append(inputs[1])


@pytest.mark.parametrize('eps', [0.0, 0.1])
@pytest.mark.parametrize('alpha', [None, 0.5])
def test_loss_and_gradient_are_the_posters(eps, alpha):
    """In float64: the gradient of row k of W is (P_k - C_k) z."""
    np.random.seed(3)
    model = build(
        dict(SMOOTHED, label_smooth_val=eps) if eps else PLAIN,
        cutmix_alpha=alpha,
    ).double()
    witness = Witness(model)
    losses = model.loss([crop.double() for crop in crops()], samples())
    sum(losses.values()).backward()
    weight = torch.zeros(IMAGES, CHANNELS, dtype=torch.float64)
    bias = torch.zeros(IMAGES, dtype=torch.float64)
    for group, features in enumerate(witness.features):
        target = (1 - eps) * witness.targets[group].double() + eps / IMAGES
        assert torch.allclose(target.sum(1), torch.ones(1).double())
        probability = witness.logits[group].softmax(1)
        expected = -(target * probability.log()).sum(1).mean()
        assert torch.allclose(
            losses[f'loss_cls_{group}'], expected, rtol=0, atol=1e-7
        )
        difference = (probability - target) / len(target)
        weight += difference.T @ features
        bias += difference.sum(0)
    # The targets of the libraries are float32.
    assert torch.allclose(model.head.fc.weight.grad, weight, atol=1e-8)
    assert torch.allclose(model.head.fc.bias.grad, bias, atol=1e-8)


def test_targets_of_mixed_crops():
    np.random.seed(0)
    model = build()
    witness = Witness(model)
    model.loss(crops(), samples())
    smooth = model.head.loss_module.smooth_label
    for scores in witness.targets:
        for row, target in zip(scores, smooth(scores)):
            mu = row.max().item()
            assert 0.5 <= mu <= 1
            i, j = row.argsort(descending=True)[:2].tolist()
            expected = soft_targets(i, j, mu, 0.1)
            assert torch.allclose(target.double(), expected, atol=1e-6)


def test_the_label_is_the_number_of_the_image():
    model = build(PLAIN, num_views=(2,), cutmix_alpha=None)
    witness = Witness(model)
    model.loss(crops(2), samples((4, 4, 9)))
    assert witness.targets[0].argmax(1).tolist() == [4, 4, 9] * 2


def test_other_crops_than_views_are_refused():
    with pytest.raises(RuntimeError, match='split'):
        build().loss(crops(5), samples())


def test_drloc_beside_it():
    model = build(**DRLOC)
    losses = model.loss(crops(), samples())
    assert {k for k in losses if k.startswith('loss')} == {
        f'loss_{kind}_{group}' for kind in ('cls', 'drloc') for group in (0, 1)
    }
    (losses['loss_drloc_0'] + losses['loss_drloc_1']).backward()
    for part in (model.auxiliary_head.mlps[0], model.backbone):
        gradients = [p.grad for p in part.parameters() if p.grad is not None]
        assert any(gradient.abs().sum() > 0 for gradient in gradients)
    host = build().state_dict()
    twin = model.state_dict()
    assert all(twin[name].equal(tensor) for name, tensor in host.items())


@pytest.mark.parametrize('options', [{}, dict(loss=PLAIN), DRLOC])
@pytest.mark.parametrize('dtype', old_torch.MIXED)
def test_mixed_precision(options, dtype):
    model = build(**options)
    with torch.autocast('cpu', dtype):
        losses = model.loss(crops(), samples())
    old_torch.assert_learns(model, losses)
