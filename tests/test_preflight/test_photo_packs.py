"""Real photos and annotations are found good, and remembered."""

import pytest
from mmengine.config import Config
from photo_packs import unpack

from mmdrloc.preflight import detection_data, segmentation_data
from mmdrloc.preflight.data import bad_data


def config(scope, dataset, **options):
    loaders = {
        f'{split}_dataloader': dict(dataset=dataset(split))
        for split in ('train', 'val')
    }
    return Config(dict(default_scope=scope, model={}, **loaders, **options))


@pytest.mark.parametrize(
    'name, classes', [('coco_mini', ['person', 'dog']), ('nuclei', None)]
)
def test_instances(tmp_path, monkeypatch, capsys, name, classes):
    root = unpack(name, tmp_path)
    cfg = config(
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
    assert bad_data(cfg, ['train', 'val']) == []
    monkeypatch.setattr(detection_data, 'read_coco', None)
    assert bad_data(cfg, ['train', 'val']) == []
    assert 'note' not in capsys.readouterr().err


def test_streets(tmp_path, monkeypatch, capsys):
    root = unpack('camvid240', tmp_path)
    cfg = config(
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
        val_evaluator=dict(type='IoUMetric', ignore_index=11),
    )
    cfg.model = dict(decode_head=dict(num_classes=11, ignore_index=11))
    assert bad_data(cfg, ['train', 'val']) == []
    monkeypatch.setattr(segmentation_data, 'find_problems', None)
    assert bad_data(cfg, ['train', 'val']) == []
    assert 'note' not in capsys.readouterr().err
