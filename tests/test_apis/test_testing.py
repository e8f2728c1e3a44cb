"""What a test draws, saves and merges, by the library that runs it."""

import pytest
import torch
from mmengine.config import Config

from mmdrloc.apis import testing
from mmdrloc.utils.errors import UsageError


def tta_config(**model):
    return Config(
        dict(
            model=dict(type='A', **model),
            test_dataloader=dict(dataset=dict(dataset=dict(pipeline=[1]))),
            tta_model=dict(type='B'),
            tta_pipeline=[2],
        )
    )


def test_classes_and_confusions():
    counts = torch.tensor([[3, 1, 0], [0, 4, 0], [4, 0, 4]])
    classes = ['cat', 'dog', 'owl']
    rates = testing.accuracies(counts, classes)
    assert [*rates.items()] == [('owl', 50.0), ('cat', 75.0), ('dog', 100.0)]
    said = testing.worst_classes(counts, classes)
    assert 'owl, taken for cat 4 times' in said
    assert said.index('owl') < said.index('cat, taken for dog 1 times')


def test_tta():
    cfg = tta_config()
    testing.set_tta(cfg)
    assert cfg.model == dict(type='B', module=dict(type='A'))
    assert cfg.test_dataloader.dataset.dataset.pipeline == [2]


def test_tta_that_cannot_be():
    with pytest.raises(UsageError, match='`tta_model` and `tta_pipeline`'):
        testing.set_tta(Config(dict(model=dict(type='A'))))
    with pytest.raises(UsageError, match='mask_head=None'):
        testing.set_tta(tta_config(roi_head=dict(mask_head=dict())))


@pytest.mark.parametrize(
    'kind,expected',
    [
        (
            'mmpretrain.VisualizationHook',
            dict(enable=True, interval=1, out_dir='{}', resize=testing.SIDE),
        ),
        ('DetVisualizationHook', dict(draw=True, test_out_dir='{}')),
        ('SegVisualizationHook', dict(draw=True)),
    ],
)
def test_show_dir(tmp_path, monkeypatch, kind, expected):
    monkeypatch.chdir(tmp_path)
    cfg = Config(
        dict(
            default_hooks=dict(visualization=dict(type=kind)),
            visualizer=dict(type='V'),
        )
    )
    testing.set_visualization(cfg, 'shown')
    folder = str(tmp_path / 'shown')
    hook = dict(cfg.default_hooks.visualization, type=None)
    assert hook == dict(
        {
            key: folder if value == '{}' else value
            for key, value in expected.items()
        },
        type=None,
    )
    is_seg = kind == 'SegVisualizationHook'
    assert cfg.visualizer.get('save_dir') == (folder if is_seg else None)


@pytest.mark.parametrize(
    'scope,kind', [('mmpretrain', 'DumpResults'), ('mmdet', 'DumpDetResults')]
)
def test_dump_of_predictions(scope, kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cfg = Config(dict(default_scope=scope, test_evaluator=dict(type='M')))
    with pytest.raises(UsageError, match='.pkl'):
        testing.set_prediction_dump(cfg, 'a.json')
    testing.set_prediction_dump(cfg, 'a.pkl')
    assert cfg.test_evaluator[1] == dict(type=kind, out_file_path='a.pkl')
