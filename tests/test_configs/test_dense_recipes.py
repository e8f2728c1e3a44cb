"""The recipes for COCO and ADE20K against the files of their libraries."""

import os
import re
from pathlib import Path

import pytest
import torch
from mmengine.config import Config
from mmengine.optim import build_optim_wrapper
from mmengine.registry import MODELS, init_default_scope
from tiny_dense import (
    build,
    cut_down,
    detection_data,
    library_config,
    segmentation_data,
)

ROOT = Path(__file__).parents[2]
STOCK = {
    'mask-rcnn': ('mmdet', 'swin/mask-rcnn_swin-t-p4-w7_fpn_1x_coco.py'),
    'upernet': (
        'mmseg',
        'swin/swin-tiny-patch4-window7-in1k-pre_upernet_8xb2-160k_'
        'ade20k-512x512.py',
    ),
}
MULTI_SCALE = 'swin/mask-rcnn_swin-t-p4-w7_fpn_ms-crop-3x_coco.py'
CASCADE = (
    'convnext/cascade-mask-rcnn_convnext-t-p4-w7_fpn_4conv1fc-giou_'
    'amp-ms-crop-3x_coco.py'
)
# What the library's files lack or say of its own backbone's file, and what
# only other parts of a config read.
VARIABLES = {
    'data_preprocessor.size',
    'dataset_name',
    'dataset_title',
    'dataset_type',
    'has_masks',
    'head',
    'mask_head',
    'max_epochs',
    'num_classes',
    'num_train',
    'num_val',
    'pretrained',
    'checkpoint_file',
    'custom_imports',
    'reduce_zero_label',
    'stages',
    'swin_tiny',
    'task',
    'train_dataset',
    'val_ann_file',
    'val_dataset',
}
SCHEDULE_AND_SCALES = {
    'param_scheduler',
    'train_pipeline',
    'train_dataloader.dataset.pipeline',
}
DROP_PATH = {'model.backbone.drop_path_rate'}
BACKBONE = {'model.backbone'}
DIFFERENCES = {
    ('mask-rcnn', 'stock'): BACKBONE,
    ('mask-rcnn', 'paper'): BACKBONE | DROP_PATH | SCHEDULE_AND_SCALES,
    ('upernet', 'stock'): BACKBONE,
    ('upernet', 'paper'): BACKBONE | DROP_PATH | {'tta_pipeline'},
    # Beside the model, against mmdet's Mask R-CNN.
    ('cascade-mask-rcnn', 'stock'): set(),
    ('cascade-mask-rcnn', 'paper'): SCHEDULE_AND_SCALES,
}
DROP_PATH_RATES = {
    ('mask-rcnn', 'paper'): 0.1,
    ('mask-rcnn', 'stock'): 0.2,
    ('cascade-mask-rcnn', 'paper'): 0.0,
    ('cascade-mask-rcnn', 'stock'): 0.2,
    ('upernet', 'paper'): 0.2,
    ('upernet', 'stock'): 0.3,
}
every_recipe = pytest.mark.parametrize('host, recipe', DIFFERENCES)
every_host = pytest.mark.parametrize(
    'host', ['mask-rcnn', 'cascade-mask-rcnn', 'upernet']
)


def load(host, recipe):
    folder, length = (
        ('ade20k', '160k') if host == 'upernet' else ('coco', '1x')
    )
    name = f'{host}_swin-tiny_{length}-{recipe}.py'
    return Config.fromfile(ROOT / 'configs' / folder / name)


def resolved(config):
    """As plain values, without what inheritance by scope adds."""
    return unscoped(config.to_dict())


def unscoped(value):
    if isinstance(value, dict):
        return {k: unscoped(v) for k, v in value.items() if k != '_scope_'}
    if isinstance(value, (list, tuple)):
        return [unscoped(item) for item in value]
    if isinstance(value, str):  # data sets are named with their library
        return re.sub(r'^mm(det|seg)\.', '', value)
    return value


def differing(ours, theirs):
    """What differs; the backbone as one key, but for its drop path."""

    def walk(a, b, key):
        if isinstance(a, dict) and isinstance(b, dict):
            for name in a.keys() | b.keys():
                yield from walk(a.get(name), b.get(name), (*key, name))
        elif a != b:
            yield '.'.join(key)

    return {
        key
        if key in DROP_PATH or not key.startswith('model.backbone.')
        else 'model.backbone'
        for key in walk(ours, theirs, ())
        if key not in VARIABLES and key.split('.')[0] not in VARIABLES
    }


@every_recipe
def test_differences_to_the_library_s_file_are_the_documented_ones(
    host, recipe
):
    ours = resolved(load(host, recipe))
    rate = ours['model']['backbone']['drop_path_rate']
    assert rate == DROP_PATH_RATES[host, recipe]
    if host == 'cascade-mask-rcnn':
        cascade = resolved(library_config('mmdet', CASCADE))
        keys = differing(
            dict(model=ours.pop('model')), dict(model=cascade['model'])
        )
        assert keys == {'model.backbone'} | DROP_PATH
    library, file = STOCK.get(host, STOCK['mask-rcnn'])
    theirs = resolved(library_config(library, file))
    if host == 'cascade-mask-rcnn':
        del theirs['model']
    assert differing(ours, theirs) == DIFFERENCES[host, recipe]


@pytest.mark.parametrize('host', ['mask-rcnn', 'cascade-mask-rcnn'])
def test_the_paper_s_scales_and_schedule(host):
    ours = resolved(load(host, 'paper'))
    multi_scale = resolved(library_config('mmdet', MULTI_SCALE))
    assert ours['train_pipeline'] == multi_scale['train_pipeline']
    assert (
        ours['train_dataloader']['dataset']['pipeline']
        == multi_scale['train_pipeline']
    )
    stock = resolved(library_config(*STOCK['mask-rcnn']))['param_scheduler']
    stock[0]['end'] = 500
    assert ours['param_scheduler'] == stock


def test_the_paper_s_test_of_six_sizes():
    config = load('upernet', 'paper')
    resizes, flips, *_ = config.tta_pipeline[-1].transforms
    assert [resize.scale_factor for resize in resizes] == [
        0.5,
        0.75,
        1.0,
        1.25,
        1.5,
        1.75,
    ]
    assert [flip.prob for flip in flips] == [0.0]
    assert config.tta_model.type == 'SegTTAModel'
    # The other recipe's test, of the same checkpoint, flips as well.
    other = load('upernet', 'stock')
    sizes, flips, *_ = other.tta_pipeline[-1].transforms
    assert sizes == resizes
    assert [flip.prob for flip in flips] == [0.0, 1.0]


@every_recipe
def test_the_backbone_waits_for_weights(host, recipe):
    backbone = load(host, recipe).model.backbone
    assert backbone.pad_small_map and backbone.out_indices == (0, 1, 2, 3)
    assert backbone.init_cfg == dict(type='Pretrained', prefix='backbone.')


def numbers_of_classes(node):
    """Every ``num_classes`` of a model."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == 'num_classes':
                yield value
            else:
                yield from numbers_of_classes(value)
    elif isinstance(node, list):
        for item in node:
            yield from numbers_of_classes(item)


@every_recipe
def test_other_data_in_every_head_file_and_pipeline(host, recipe, monkeypatch):
    name = 'digits_seg' if host == 'upernet' else 'digits_coco'
    heads = {'mask-rcnn': 2, 'cascade-mask-rcnn': 4, 'upernet': 2}[host]
    before, default = load(host, recipe), 150 if host == 'upernet' else 80
    monkeypatch.setenv('DATASET', name)
    cfg = load(host, recipe)
    data = Config.fromfile(ROOT / f'configs/_base_/datasets/{name}.py')
    assert list(numbers_of_classes(before.model)) == [default] * heads
    assert list(numbers_of_classes(cfg.model)) == [data.num_classes] * heads
    for key in ('train', 'val', 'test'):
        dataset = cfg[f'{key}_dataloader'].dataset.to_dict()
        pipeline = dataset.pop('pipeline')
        described = 'train_dataset' if key == 'train' else 'val_dataset'
        assert dataset == data[described].to_dict()
        (step,) = (s for s in pipeline if s['type'] == 'LoadAnnotations')
        assert step.get('reduce_zero_label', False) is False
    if host != 'upernet':
        for key in ('val_evaluator', 'test_evaluator'):
            assert cfg[key].ann_file == data.val_ann_file
    assert cfg.data_root == data.train_dataset.data_root


BOXES = """
_base_ = '{digits}'
has_masks = False
"""
DETECTORS = (
    'coco/mask-rcnn_swin-tiny_1x-paper',
    'coco/cascade-mask-rcnn_swin-tiny_1x-stock',
    'coco/mask-rcnn_pvtv2-b0_1x',
    'coco/mask-rcnn_vit-b16_1x',
    'coco/cascade-mask-rcnn_vit-light_1x',
    'coco/cascade-mask-rcnn_resnet-50_1x',
    'coco_mini/mask-rcnn_swin-mini',
    'nuclei/mask-rcnn_swin-mini',
    'nuclei/mask-rcnn_cvt-mini',
    'quickstart/mask-rcnn_swin-2stage',
)


@pytest.mark.parametrize('name', DETECTORS)
def test_boxes_alone_leave_the_masks_out(name, tmp_path, monkeypatch):
    digits = ROOT / 'configs/_base_/datasets/digits_coco.py'
    (tmp_path / 'boxes.py').write_text(BOXES.format(digits=digits))
    monkeypatch.setenv(
        'DATASET', os.path.relpath(tmp_path / 'boxes', digits.parent)
    )
    cfg = Config.fromfile(ROOT / f'configs/{name}.py')
    assert cfg.model.roi_head.mask_head is None
    for key in ('train', 'val', 'test'):
        steps = cfg[f'{key}_dataloader'].dataset.pipeline
        (step,) = (s for s in steps if s.type.endswith('LoadAnnotations'))
        assert (step.with_bbox, step.with_mask) == (True, False)
        if key != 'train':
            assert cfg[f'{key}_evaluator'].metric == ['bbox']


@pytest.fixture(scope='module')
def swin_tiny():
    """State dict of a classifier's Swin-T."""
    init_default_scope('mmpretrain')
    model = MODELS.build(dict(type='SwinTransformer', arch='tiny'))
    return model.state_dict()


@every_host
def test_backbone_of_the_built_model_equals_the_checkpoint(
    host, swin_tiny, tmp_path
):
    config = load(host, 'paper')
    checkpoint = tmp_path / 'backbone.pth'
    torch.save({f'backbone.{k}': v for k, v in swin_tiny.items()}, checkpoint)
    config.model.backbone.init_cfg.checkpoint = str(checkpoint)
    model = build(config.model, config.default_scope)
    state = model.backbone.state_dict()
    for name, tensor in swin_tiny.items():
        assert state[name].equal(tensor), name
    assert {name.split('.')[0] for name in {*state} - {*swin_tiny}} == {
        'norm0',
        'norm1',
        'norm2',
    }


@every_recipe
def test_a_narrow_version_trains_a_step(host, recipe):
    config = load(host, recipe)
    model = build(cut_down(config.model), config.default_scope)
    optimizer = build_optim_wrapper(model, config.optim_wrapper)
    data = segmentation_data() if host == 'upernet' else detection_data()
    qkv = model.backbone.stages[0].blocks[0].attn.w_msa.qkv.weight
    before = qkv.clone()
    log = model.train_step(data, optimizer)
    assert torch.isfinite(log['loss'])
    assert not torch.equal(before, qkv)


@pytest.mark.parametrize('library', ['mmdet', 'mmseg'])
def test_features_equal_those_of_the_library_s_own_swin(library):
    torch.manual_seed(0)
    depths, heads = [2, 2, 2, 2], [1, 2, 4, 8]
    init_default_scope(library)
    ours = MODELS.build(
        dict(
            type='mmpretrain.SwinTransformer',
            arch=dict(embed_dims=16, depths=depths, num_heads=heads),
            out_indices=(0, 1, 2, 3),
            pad_small_map=True,
        )
    )
    theirs = MODELS.build(
        dict(
            type=f'{library}.SwinTransformer',
            embed_dims=16,
            depths=depths,
            num_heads=heads,
        )
    )
    for tensor in ours.state_dict().values():
        if tensor.is_floating_point():
            tensor.normal_(std=0.3)
    theirs.load_state_dict(ours.state_dict())
    # Swin's train() returns nothing in mmpretrain.
    ours.eval(), theirs.eval()
    for size in ((224, 224), (512, 512), (250, 333)):
        image = torch.randn(1, 3, *size)
        with torch.no_grad():
            for one, other in zip(ours(image), theirs(image), strict=True):
                assert torch.equal(one, other)
