"""The configs for COCO and ADE20K against the files of their libraries."""

import re
from pathlib import Path

import pytest
import torch
import yaml
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

from mmdrloc.transfer import audit_state_dict

ROOT = Path(__file__).parents[2]
LEAVES = sorted(
    path
    for folder in ('coco', 'ade20k')
    for path in (ROOT / 'configs' / folder).glob('*.py')
)
NAME = re.compile(
    r'(?P<host>.+)_swin-tiny_(?P<method>plain|drloc)-(?P<data>in1k|in100)'
    r'_(?:1x|160k)-(?P<recipe>paper|stock)_(?:coco|ade20k)'
)
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
# Where the weights come from: in all configs, and nothing else in `stock`.
WEIGHTS = {'model.backbone', 'custom_hooks', 'swin_tiny'}
SCHEDULE_AND_SCALES = {
    'param_scheduler',
    'train_pipeline',
    'train_dataloader.dataset.pipeline',
}
DROP_PATH = {'model.backbone.drop_path_rate'}
DIFFERENCES = {
    ('mask-rcnn', 'stock'): WEIGHTS | {'pretrained'},
    ('mask-rcnn', 'paper'): WEIGHTS
    | {'pretrained'}
    | DROP_PATH
    | SCHEDULE_AND_SCALES,
    ('upernet', 'stock'): WEIGHTS | {'checkpoint_file'},
    ('upernet', 'paper'): WEIGHTS
    | {'checkpoint_file'}
    | DROP_PATH
    | {'tta_pipeline'},
    # Beside the model, against mmdet's Mask R-CNN; `custom_imports` is what
    # the config of ConvNeXt says of its own backbone.
    ('cascade-mask-rcnn', 'stock'): (WEIGHTS - {'model.backbone'})
    | {'pretrained', 'checkpoint_file', 'custom_imports'},
    ('cascade-mask-rcnn', 'paper'): (WEIGHTS - {'model.backbone'})
    | {'pretrained', 'checkpoint_file', 'custom_imports'}
    | SCHEDULE_AND_SCALES,
}
DROP_PATH_RATES = {
    ('mask-rcnn', 'paper'): 0.1,
    ('mask-rcnn', 'stock'): 0.2,
    ('cascade-mask-rcnn', 'paper'): 0.0,
    ('cascade-mask-rcnn', 'stock'): 0.2,
    ('upernet', 'paper'): 0.2,
    ('upernet', 'stock'): 0.3,
}
every_leaf = pytest.mark.parametrize('path', LEAVES, ids=lambda p: p.stem)
every_recipe = pytest.mark.parametrize('host, recipe', DIFFERENCES)
every_host = pytest.mark.parametrize(
    'host', ['mask-rcnn', 'cascade-mask-rcnn', 'upernet']
)


def leaf_of(host, recipe, origin='drloc-in1k'):
    (path,) = (
        path
        for path in LEAVES
        if path.name.startswith(f'{host}_swin-tiny_{origin}_')
        and f'-{recipe}_' in path.name
    )
    return path


def resolved(config):
    """As plain values, without what inheritance by scope adds."""
    return unscoped(config.to_dict())


def unscoped(value):
    if isinstance(value, dict):
        return {k: unscoped(v) for k, v in value.items() if k != '_scope_'}
    if isinstance(value, (list, tuple)):
        return [unscoped(item) for item in value]
    return value


def differing(ours, theirs):
    """Keys that differ; those of the backbone as one, but for drop path."""

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
        if not key.startswith('swin_tiny.')
    }


def test_a_config_for_every_row_of_tables_10_to_13_in_two_recipes():
    found = {tuple(NAME.fullmatch(p.stem).groups()) for p in LEAVES}
    assert len(LEAVES) == len(found) == 24
    assert found == {
        (host, method, data, recipe)
        for host, recipe in DIFFERENCES
        for method in ('plain', 'drloc')
        for data in ('in1k', 'in100')
    }


@every_recipe
def test_differences_to_the_library_s_file_are_the_documented_ones(
    host, recipe
):
    ours = resolved(Config.fromfile(leaf_of(host, recipe)))
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
    ours = resolved(Config.fromfile(leaf_of(host, 'paper')))
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
    config = Config.fromfile(leaf_of('upernet', 'paper'))
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
    other = Config.fromfile(leaf_of('upernet', 'stock'))
    sizes, flips, *_ = other.tta_pipeline[-1].transforms
    assert sizes == resizes
    assert [flip.prob for flip in flips] == [0.0, 1.0]


@every_leaf
def test_twins_and_pretrainings_differ_in_the_weights_alone(path):
    name = NAME.fullmatch(path.stem).groupdict()
    config = Config.fromfile(path)
    other = Config.fromfile(leaf_of(name['host'], name['recipe']))
    assert differing(resolved(config), resolved(other)) <= WEIGHTS | {
        'pretrained',
        'checkpoint_file',
    }
    backbone = config.model.backbone
    assert backbone.pad_small_map and backbone.out_indices == (0, 1, 2, 3)

    method = '_drloc' if name['method'] == 'drloc' else ''
    data = {'in1k': 'imagenet-1k', 'in100': 'imagenet-100'}[name['data']]
    pretraining = f'swin-tiny{method}_300e_{data}'
    assert (ROOT / f'configs/scratch_300e/{pretraining}.py').is_file()
    checkpoint = f'work_dirs/{pretraining}/backbone.pth'
    assert backbone.init_cfg == dict(
        type='Pretrained', prefix='backbone.', checkpoint=checkpoint
    )
    (hook,) = config.custom_hooks
    assert hook == dict(
        type='mmdrloc.TransferCheckHook',
        expected_missing=['norm0.', 'norm1.', 'norm2.'],
        made_by='python tools/transfer.py '
        f'work_dirs/{pretraining}/epoch_300.pth {checkpoint}',
    )


@pytest.mark.parametrize('folder', ['coco', 'ade20k'])
def test_descriptions_have_every_config_and_its_numbers(folder):
    folder = ROOT / 'configs' / folder
    entries = yaml.safe_load((folder / 'metafile.yml').read_text())['Models']
    leaves = {p.stem: p for p in LEAVES if p.parent == folder}
    assert sorted(entry['Name'] for entry in entries) == sorted(leaves)
    readme = (folder / 'README.md').read_text()
    for entry in entries:
        path = leaves[entry['Name']]
        assert ROOT / entry['Config'] == path
        text = path.read_text()
        assert entry['Config'] in text
        assert f'# Measured: {entry["Measured"]}.' in text
        if '-stock_' in path.stem:
            paper = path.stem.replace('-stock_', '-paper_')
            assert entry['Variant Of'] == paper and f'{paper}.py' in text
            continue
        (row,) = (x for x in readme.splitlines() if f'({path.name})' in x)
        for record in entry['Published']:
            assert f'{record["Metric"]} {record["Value"]}' in text
            assert f'{record["Value"]}' in row
            assert f'Table {record["Table"]}' in text


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
    config = Config.fromfile(leaf_of(host, 'paper'))
    checkpoint = tmp_path / 'backbone.pth'
    torch.save({f'backbone.{k}': v for k, v in swin_tiny.items()}, checkpoint)
    config.model.backbone.init_cfg.checkpoint = str(checkpoint)
    model = build(config.model, config.default_scope)
    audit = audit_state_dict(
        model.backbone.state_dict(),
        swin_tiny,
        config.custom_hooks[0].expected_missing,
    )
    assert not audit.faults
    assert {name.split('.')[0] for name in audit.expected_missing} == {
        'norm0',
        'norm1',
        'norm2',
    }


@every_recipe
def test_a_narrow_version_trains_a_step(host, recipe):
    config = Config.fromfile(leaf_of(host, recipe))
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
