"""DRLoc in detectors and segmentors, and their plain twins."""

import copy
import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from mmengine.config import Config
from mmengine.runner import IterBasedTrainLoop
from mmengine.runner.utils import set_random_seed
from mmengine.structures import BaseDataElement
from model_configs import RECIPES
from tiny_dense import batch, build, cut_down, library_config
from torch import nn

from mmdrloc.engine.hooks.drloc_weight_hook import DRLocWeightHook
from mmdrloc.models.host import DenseDRLocHost, cells_of_images

HEAD = dict(
    type='mmdrloc.DRLocHead',
    source='stages.1',
    in_channels=16,
    hidden_channels=12,
)
HOSTS = {
    'DRLocMaskRCNN': ('mmdet', 'mask-rcnn_r50_fpn'),
    'DRLocCascadeRCNN': ('mmdet', 'cascade-mask-rcnn_r50_fpn'),
    'DRLocEncoderDecoder': ('mmseg', 'upernet_swin'),
}


def build_host(name, loss_weight=None):
    """Build the library's class, or its twin with a head."""
    scope, file = HOSTS[name]
    model = library_config(scope, f'_base_/models/{file}.py').model
    if scope == 'mmdet':
        model.neck.in_channels = [96, 192, 384, 768]
    cut_down(model)
    if loss_weight is not None:
        model.type = f'mmdrloc.{name}'
        model.drloc_head = dict(
            HEAD,
            loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=loss_weight),
        )
    return build(model, scope)


def gradients(model, scope):
    """Of one loss, with the host's random layers and samplers drawn alike."""
    data = batch(model, scope)
    set_random_seed(7)
    total, log = model.parse_losses(model(**data, mode='loss'))
    total.backward()
    return log, {
        name: parameter.grad
        for name, parameter in model.named_parameters()
        if not name.startswith('drloc_head')
    }


@pytest.mark.parametrize('name', HOSTS)
def test_a_twin_is_the_library_s_class_with_the_loss(name):
    scope, _ = HOSTS[name]
    plain, zero, model = (build_host(name, w) for w in (None, 0.0, 0.5))
    state = zero.state_dict()
    for key, tensor in plain.state_dict().items():
        assert torch.equal(tensor, state.pop(key)), key
    assert state and all(key.startswith('drloc_head.mlps.0') for key in state)

    log, expected = gradients(plain, scope)
    zero_log, found = gradients(zero, scope)
    added = {'loss_drloc', 'drloc_raw', 'drloc_weight', 'drloc_skill'}
    assert set(zero_log) - set(log) == added
    assert zero_log['loss'] == log['loss'] and zero_log['drloc_raw'] > 0
    assert expected.keys() == found.keys()
    for key, gradient in expected.items():
        if gradient is None:  # the host's own affair
            assert found[key] is None
        else:
            assert torch.equal(gradient, found[key]), key
    for parameter in zero.drloc_head.parameters():
        assert parameter.grad is not None  # no unused parameters under DDP

    drloc_log, drloc = gradients(model, scope)
    assert all(value.isfinite() for value in drloc_log.values())
    loss = drloc_log['loss_drloc']
    torch.testing.assert_close(loss, 0.5 * drloc_log['drloc_raw'])
    torch.testing.assert_close(drloc_log['loss'], log['loss'] + loss)
    key = 'backbone.stages.0.blocks.0.ffn.layers.1.weight'
    assert not torch.equal(expected[key], drloc[key])
    for module in copy.deepcopy(model).modules():
        assert not module._forward_hooks


@pytest.mark.parametrize('name', ['tinyvit-5m', 'dinov2-small'])
def test_a_cascade_with_the_backbone_and_neck_of_a_recipe(name):
    """On images whose sides are no multiple of cells and windows."""
    path = RECIPES / f'nuclei/mask-rcnn_{name}_dense-drloc.py'
    recipe = Config.fromfile(path).model
    model = library_config(
        'mmdet', '_base_/models/cascade-mask-rcnn_r50_fpn.py'
    ).model
    cut_down(model)
    neck = recipe.neck[-1] if name == 'dinov2-small' else recipe.neck
    neck.out_channels = 16
    model.type = 'mmdrloc.DRLocCascadeRCNN'
    model.drloc_head = recipe.drloc_head
    model.backbone = dict(recipe.backbone, init_cfg=None)
    model.neck = recipe.neck
    strides = recipe.rpn_head.anchor_generator.strides
    model.rpn_head.anchor_generator.strides = strides
    for part in ('bbox', 'mask'):
        extractor = f'{part}_roi_extractor'
        model.roi_head[extractor].featmap_strides = strides[:4]
    log, found = gradients(build(model, 'mmdet'), 'mmdet')
    assert all(value.isfinite() for value in log.values())
    reached = [n for n, one in found.items() if one is not None and one.any()]
    for part in ('backbone.', 'neck.', 'rpn_head.', 'roi_head.mask_head.2'):
        assert any(name.startswith(part) for name in reached)
    assert log['loss_drloc'] > 0


class Library(nn.Module):
    """Stands for a library's class: a backbone of square patches."""

    def __init__(self, stride):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(1, 2, stride, stride))

    def loss(self, inputs, data_samples):
        return dict(loss_cls=self.backbone(inputs).sum())


class Host(DenseDRLocHost, Library):
    """With the head."""


@st.composite
def padded_batches(draw):
    """A stride, a pooling, and shapes of images that hold a pooled cell."""
    stride = draw(st.sampled_from((4, 7, 8)))
    length = st.integers(2 * stride, 9 * stride)
    shapes = draw(st.lists(st.tuples(length, length), min_size=1, max_size=4))
    return stride, draw(st.sampled_from((None, 'avg2x2', 'avg3x3s2'))), shapes


def padded_shape(shapes, stride):
    return [-(-max(lengths) // stride) * stride for lengths in zip(*shapes)]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(padded_batches(), st.integers(0, 3))
def test_no_pair_touches_the_padding(case, seed):
    stride, pool, shapes = case
    torch.manual_seed(seed)
    # Whatever looks at the padding is no number any more.
    images = torch.full(
        (len(shapes), 1, *padded_shape(shapes, stride)), float('nan')
    )
    for image, (height, width) in zip(images, shapes):
        image[:, :height, :width] = torch.randn(height, width)
    host = Host(
        stride, drloc_head=dict(HEAD, source='0', in_channels=2, pool=pool)
    )
    samples = [BaseDataElement(metainfo=dict(img_shape=s)) for s in shapes]
    assert host.loss(images, samples)['loss_drloc'].isfinite()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(padded_batches())
def test_every_whole_cell_of_an_image_belongs_to_it(case):
    stride, _, shapes = case
    padded = padded_shape(shapes, stride)
    grid = torch.empty(1, 1, padded[0] // stride, padded[1] // stride)
    found = cells_of_images(shapes, padded, grid)
    assert found.tolist() == [[h // stride, w // stride] for h, w in shapes]


def test_an_image_smaller_than_a_cell_has_one():
    grid = torch.zeros(2, 3, 4, 4)
    found = cells_of_images([(64, 64), (3, 20)], (64, 64), grid)
    assert found.tolist() == [[4, 4], [1, 1]]


def test_the_weight_hook_finds_the_head_and_counts_iterations():
    model = build_host('DRLocEncoderDecoder', 0.5)
    loop = IterBasedTrainLoop.__new__(IterBasedTrainLoop)
    loader = SimpleNamespace(batch_size=2, dataset=range(10))
    runner = SimpleNamespace(
        model=model,
        train_loop=loop,
        train_dataloader=loader,
        world_size=1,
        max_iters=40,  # 8 epochs of 5
    )
    hook = DRLocWeightHook(warmup_epochs=4)
    hook.before_train(runner)
    factors = []
    for runner.iter in (0, 4, 5, 20, 39):
        hook.before_train_iter(runner, batch_idx=0)
        factors.append(model.drloc_head.weight_factor)
    assert factors == [0.0, 0.0, 0.25, 1.0, 0.25]


IMPORTS = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in ('mmdet', 'mmseg'):
            raise ModuleNotFoundError(f'No module named {name!r}')

sys.meta_path.insert(0, Absent())
from mmdrloc.utils.errors import UsageError
from mmengine.registry import MODELS
assert MODELS.get('mmdrloc.DRLocClassifier') is not None
for name in ('DRLocMaskRCNN', 'DRLocEncoderDecoder'):
    try:
        MODELS.build(dict(type=f'mmdrloc.{name}'))
    except UsageError as error:
        print(error)
"""


def test_without_mmdet_and_mmseg_classification_works_and_says_the_rest():
    done = subprocess.run(
        [sys.executable, '-c', IMPORTS], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    mask_rcnn, segmentor = done.stdout.splitlines()
    assert 'DRLocMaskRCNN is not available here: No module' in mask_rcnn
    assert "No module named 'mmseg" in segmentor
