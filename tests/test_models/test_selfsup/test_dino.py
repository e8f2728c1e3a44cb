"""Self-distillation: pairs, the centre, and who is trained."""

import json
import math

import old_torch
import pytest
import torch
from mmengine.logging import MessageHub
from mmengine.registry import MODELS, init_default_scope
from mmpretrain.models.backbones import VisionTransformer
from mmpretrain.structures import DataSample
from toy_run import on_two_processes

from mmdrloc.utils.errors import UsageError

SWIN = dict(
    type='mmpretrain.SwinTransformer',  # drops paths unless it is told not to
    arch=dict(embed_dims=8, depths=[9], num_heads=[2]),
    out_indices=(0,),
)


def build(backbone=None, **options):
    init_default_scope('mmpretrain')
    MessageHub.get_current_instance().update_info('max_iters', 10)
    torch.manual_seed(0)
    arch = dict(
        embed_dims=8, num_layers=4, num_heads=2, feedforward_channels=8
    )
    vit = dict(
        type='mmpretrain.VisionTransformer',
        arch=arch,
        img_size=32,
        patch_size=8,
    )
    backbone = dict(backbone or vit, **options)
    neck = dict(
        type='mmdrloc.DINONeck',
        in_channels=8,
        num_prototypes=16,
        hid_channels=8,
        bottleneck_channels=4,
    )
    model = MODELS.build(
        dict(type='mmdrloc.DINO', backbone=backbone, neck=neck)
    )
    model.init_weights()
    return model.train()


@pytest.fixture
def model():
    return build()


def crops(count=4):
    return list(torch.randn(count, 3, 3, 32, 32))


def samples():
    return [DataSample() for _ in range(3)]


def test_loss_is_the_mean_over_pairs_of_different_crops(model):
    images = crops()
    model.center.normal_()
    center = model.center.clone()
    loss = model.loss(images, samples())['loss']
    # In its first step the teacher is the student.
    outputs = [model.neck(model.backbone(crop)) for crop in images]
    told = [(output / 0.1).log_softmax(1) for output in outputs]
    expected = [((out - center) / 0.04).softmax(1) for out in outputs[:2]]
    pairs = [
        -(expected[i] * told[j]).sum(1).mean()
        for i in range(2)
        for j in range(4)
        if i != j
    ]
    assert torch.isclose(loss, sum(pairs) / 6, rtol=1e-4)


def test_the_neck_gives_cosines(model):
    """Whatever the lengths of features and prototypes are."""
    neck, features = model.neck, torch.randn(5, 8)
    bottleneck = neck.layers(features)
    expected = torch.cosine_similarity(
        bottleneck[:, None], neck.prototypes[None], dim=2
    )
    torch.testing.assert_close(neck((features,)), expected)
    with torch.no_grad():
        neck.prototypes.mul_(3)
    torch.testing.assert_close(neck((features,)), expected)


def test_the_teacher_follows_and_is_not_trained(model):
    """It moves by 0.004 at first, by a cosine to nothing at the end."""
    student = torch.nn.Sequential(model.backbone, model.neck)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    model.loss(crops(), samples())['loss'].backward()
    for step in (1, 2):  # of 10
        optimizer.step()
        moves = 0.004 * (1 + math.cos(math.pi * step / 10)) / 2
        expected = [
            before.lerp(now.detach(), moves)
            for before, now in zip(
                model.teacher.parameters(), student.parameters()
            )
        ]
        optimizer.zero_grad()
        model.loss(crops(), samples())['loss'].backward()
        for now, then in zip(model.teacher.parameters(), expected):
            torch.testing.assert_close(now, then)
    assert all(p.grad is None for p in model.teacher.parameters())
    assert model.center.abs().sum() > 0
    assert model.state_dict()['teacher.steps'] == 3


def test_maps_are_averaged(model):
    maps = torch.randn(2, 8, 3, 5)
    expected = model.neck((maps.mean((2, 3)),))
    torch.testing.assert_close(model.neck((maps,)), expected)


def test_prototypes_are_as_long_as_the_authors(model):
    neck = MODELS.build(dict(type='mmdrloc.DINONeck', in_channels=8))
    lengths = neck.prototypes.norm(dim=1)
    assert lengths.mean().item() == pytest.approx(3**-0.5, rel=0.01)


def test_one_crop_is_refused(model):
    with pytest.raises(UsageError, match='num_views=2'):
        model.loss(crops(1), samples())


def test_the_centre_follows_slowly(model):
    """Nine tenths stay at each step."""
    model.center.fill_(100.0)
    images = crops()
    model.loss(images, samples())
    seen = model.teacher(torch.cat(images[:2])).mean(0)
    torch.testing.assert_close(model.center, 90 + 0.1 * seen)


def test_the_centre_follows_the_crops_of_all_processes(tmp_path):
    images = [crops(), crops()]

    def centre(rank):
        model = build()
        model.loss(images[rank], samples())
        return model.center

    def in_a_process(rank):
        torch.set_num_threads(1)
        return json.dumps(centre(rank).tolist())

    expected = (centre(0) + centre(1)) / 2
    for found in on_two_processes(tmp_path, in_a_process):
        torch.testing.assert_close(torch.tensor(json.loads(found)), expected)


class WithBuffer(VisionTransformer):
    """Has a buffer that is drawn, and not trained."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.register_buffer('drawn', torch.randn(3))


@pytest.mark.parametrize(
    'own',
    [dict(drop_path_rate=0.5, type=WithBuffer), dict(backbone=SWIN)],
)
def test_a_crop_has_one_target(own):
    """The student drops paths, the teacher does not, in training as well."""
    model = build(**own)
    images = crops()
    # One step, after which the teacher has the student's weights.
    model.loss(images, samples())
    students = model.backbone.state_dict()
    for name, value in model.teacher.module[0].state_dict().items():
        assert value.equal(students[name]), name
    assert model.teacher(images[0]).equal(model.teacher(images[0]))
    first, second = (model.backbone(images[0])[-1] for _ in range(2))
    assert not first.equal(second)


@pytest.mark.parametrize('dtype', old_torch.MIXED)
def test_mixed_precision(model, dtype):
    for layer in model.neck.layers[::2]:
        layer.reset_parameters()  # narrow ones are too weak for half precision
    with torch.autocast('cpu', dtype):
        losses = model.loss(crops(), samples())
    old_torch.assert_learns(model, losses)
