"""Real photos and annotations are found good, and nothing is noted."""

import pytest
from mmengine.config import Config
from mmengine.registry import DATASETS, DefaultScope
from photo_packs import unpack

from mmdrloc.preflight.data import bad_data
from mmdrloc.preflight.runner import bad_samples


def problems_of(scope, dataset, ignored=255):
    loaders = {
        f'{split}_dataloader': dict(dataset=dataset(split))
        for split in ('train', 'val')
    }
    cfg = Config(dict(default_scope=scope, model={}, **loaders))
    problems = bad_data(cfg, ['train', 'val'])
    with DefaultScope.overwrite_default_scope(scope):
        for split in ('train', 'val'):
            built = DATASETS.build(dataset(split))
            classes = len(built.metainfo['classes'])
            problems += bad_samples(split, built, classes, [255, ignored])
    return problems


@pytest.mark.parametrize(
    'name, classes', [('coco_mini', ['person', 'dog']), ('nuclei', None)]
)
def test_instances(tmp_path, capsys, name, classes):
    root = unpack(name, tmp_path)
    assert not problems_of(
        'mmdet',
        lambda split: dict(
            type='CocoDataset',
            data_root=str(root),
            ann_file=f'annotations/instances_{split}.json',
            data_prefix=dict(img=split),
            metainfo=dict(classes=classes or ['nucleus']),
            pipeline=[dict(type='LoadAnnotations', with_mask=True)],
        ),
    )
    assert 'note' not in capsys.readouterr().err


def test_streets(tmp_path, capsys):
    root = unpack('camvid240', tmp_path)
    assert not problems_of(
        'mmseg',
        lambda split: dict(
            type='BaseSegDataset',
            data_root=str(root),
            data_prefix=dict(
                img_path=f'img/{split}', seg_map_path=f'ann/{split}'
            ),
            metainfo=dict(classes=[str(label) for label in range(11)]),
            pipeline=[dict(type='LoadAnnotations')],
        ),
        11,
    )
    assert 'note' not in capsys.readouterr().err
