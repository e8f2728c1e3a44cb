"""What cannot be built is said part by part."""

from pathlib import Path

import pytest
from mmengine.config import Config
from tiny_run import write_config

from mmdrloc.preflight.building import broken_parts

QUICKSTART = Path(__file__).parents[2] / 'configs/quickstart'
PHASES = ('train', 'val')


@pytest.fixture(scope='module')
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp('tiny'))


def broken(path, options):
    cfg = Config.fromfile(path)
    cfg.merge_from_dict(options)
    return broken_parts(cfg, PHASES)


@pytest.mark.parametrize(
    'options,words',
    [
        (
            {'model.backbone.arch': dict(_delete_=True, embed_dims=8)},
            'model.backbone (SwinTransformer) cannot be built: Custom arch',
        ),
        (
            {'model.head': dict(_delete_=True, type='LinearClsHead')},
            "model.head (LinearClsHead) needs 'num_classes' and",
        ),
        (
            {
                'default_hooks.checkpoint': dict(
                    type='CheckpointHook', save_best='x'
                )
            },
            'default_hooks.checkpoint (CheckpointHook) cannot be built: '
            'Cannot infer the rule',
        ),
        (
            {'param_scheduler': [dict(type='LinearLR', begin=3, end=2)]},
            'param_scheduler[0] (LinearLR) cannot be built',
        ),
        (
            {'optim_wrapper.clip_grad': dict(type='abc', max_norm=1)},
            'optim_wrapper cannot be built: type of clip_grad',
        ),
        (
            {'train_dataloader.dataset.pipeline': [dict(type='Resize')]},
            'train_dataloader.dataset.pipeline[0] (Resize) cannot be built',
        ),
        (
            {'train_dataloader.sampler.shufle': 1},
            'train_dataloader.sampler.shufle: DefaultSampler takes no',
        ),
    ],
)
def test_what_cannot_be_built(config, options, words):
    [finding] = broken(config, options)
    assert words in finding


def test_what_can_be_built(config):
    assert broken(config, {}) == []


def test_the_head_says_what_it_lacks(config):
    [finding] = broken(
        QUICKSTART / 'swin-2stage_drloc.py',
        {'model.auxiliary_head.source': 'stages.9'},
    )
    assert finding.startswith("model: source='stages.9' names no module")
