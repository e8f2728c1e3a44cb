"""The recipes for COCO and ADE20K beside the files of their libraries."""

import re
from importlib.util import find_spec

import pytest
import torch
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from recipe_configs import resolve

SWIN = 'mmdet', 'swin/mask-rcnn_swin-t-p4-w7_fpn_'
PAIRS = {
    'coco/mask-rcnn_swin-tiny_1x': (*SWIN, '1x_coco'),
    'coco/mask-rcnn_swin-tiny_ms-crop-3x': (*SWIN, 'ms-crop-3x_coco'),
    'coco/cascade-mask-rcnn_swin-tiny_1x': (*SWIN, '1x_coco'),
    'coco/cascade-mask-rcnn_swin-tiny_ms-crop-3x': (*SWIN, 'ms-crop-3x_coco'),
    'ade20k/upernet_swin-tiny_160k': (
        'mmseg',
        'swin/swin-tiny-patch4-window7-in1k-pre_upernet_',
        '8xb2-160k_ade20k-512x512',
    ),
}
KEYS = (
    'train_dataloader val_dataloader optim_wrapper param_scheduler train_cfg '
    'auto_scale_lr val_evaluator'
).split()


def library_config(library, *name):
    (root,) = find_spec(library).submodule_search_locations
    return Config.fromfile(f'{root}/.mim/configs/{"".join(name)}.py')


def plain(value):
    """Without what inheritance by scope adds."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k != '_scope_'}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, str):
        return re.sub(r'^mm(det|seg)\.', '', value)
    return value


def without_backend(value):
    if isinstance(value, dict):
        parts = {k: without_backend(v) for k, v in value.items()}
        return {k: v for k, v in parts.items() if k != 'backend_args'}
    if isinstance(value, list):
        return [without_backend(item) for item in value]
    return value


@pytest.mark.parametrize('name', PAIRS)
def test_standard_schedules_are_the_library_s(name):
    """The backbone's class alone differs, and Cascade's heads."""
    ours, theirs = resolve(name), library_config(*PAIRS[name])
    for key in KEYS:
        one, other = (
            without_backend(plain(cfg.get(key))) for cfg in (ours, theirs)
        )
        if key == 'train_dataloader' and name.startswith('ade20k'):
            other['batch_size'] = 2
        assert one == other, key
    rate = theirs.model.backbone.drop_path_rate
    assert ours.model.backbone.drop_path_rate == rate
    assert ours.model.backbone.init_cfg == dict(
        type='Pretrained', prefix='backbone.'
    )
    if not name.startswith('coco/cascade'):
        for key in ('neck', 'roi_head', 'rpn_head', 'test_cfg', 'train_cfg'):
            one, other = (plain(cfg.model.get(key)) for cfg in (ours, theirs))
            assert one == other, key


def test_80k_is_160k_in_half_the_iterations():
    half, whole = map(
        resolve,
        ('ade20k/upernet_swin-tiny_80k', 'ade20k/upernet_swin-tiny_160k'),
    )
    assert plain(half.model) == plain(whole.model)
    assert half.optim_wrapper == whole.optim_wrapper
    assert half.train_cfg.max_iters * 2 == whole.train_cfg.max_iters
    assert half.param_scheduler[-1].end == half.train_cfg.max_iters


def test_the_paper_tests_at_six_times_the_resolution_of_training():
    cfg = resolve('ade20k/upernet_swin-tiny_160k-paper')
    width, height = cfg.train_dataloader.dataset.pipeline[2].scale
    sizes, flips, *_ = cfg.tta_pipeline[1].transforms
    assert [size.scale for size in sizes] == [
        (ratio * width, ratio * height)
        for ratio in (0.5, 0.75, 1.0, 1.25, 1.5, 1.75)
    ]
    assert [flip.prob for flip in flips] == [0.0]


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
