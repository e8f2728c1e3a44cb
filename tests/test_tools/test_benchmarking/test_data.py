import numpy as np
import torch
from benchmarking import data
from mmengine.config import Config
from mmengine.registry import init_default_scope

STEPS = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='RandomResizedCrop', scale=32, backend='pillow'),
    dict(type='RandomFlip', prob=0.5),
    dict(type='mmdrloc.RandomErasing', erase_prob=1.0, mode='rand'),
    dict(type='PackInputs'),
]


def test_only_what_has_a_twin_is_exchanged():
    kinds = {
        name: [step['type'] for step in data.pipeline_of(STEPS, name)]
        for name in (data.STOCK, data.OURS)
    }
    first, crop, flip, erasing, pack = kinds[data.STOCK]
    assert (first, flip) == ('mmdrloc.LoadImage', 'RandomFlip')
    assert crop == 'mmpretrain.RandomResizedCrop'
    assert erasing == 'mmpretrain.RandomErasing'
    assert kinds[data.OURS] == [
        first,
        'mmdrloc.RandomResizedCrop',
        flip,
        'mmdrloc.RandomErasing',
        pack,
    ]
    assert STEPS[1]['type'] == 'RandomResizedCrop'


def test_rounds_differ_and_contenders_do_not(monkeypatch):
    init_default_scope('mmpretrain')
    seeds = []
    monkeypatch.setattr(np.random, 'seed', seeds.append)
    samples = [dict(img=np.zeros((8, 8, 3), np.uint8)) for _ in range(3)]
    ours = data.pipeline_of(STEPS, data.OURS)
    halves = data.Halves(ours, samples, True, torch.device('cpu'))
    assert seeds == [0, 1, 2]  # to have a batch for the device
    for one in (
        data.Pass(data.pipeline_of(STEPS, data.STOCK), samples),
        data.Pass(ours, samples),
    ):
        one()
        one()
    halves.loader()
    assert seeds[3:] == [0, 1, 2, 3, 4, 5] * 2 + [3, 4, 5]
    assert not samples[0]['img'].any() and 'img_shape' not in samples[0]


def test_images_a_second():
    outcome = data.compare_pipelines(
        Config(dict(train_pipeline=STEPS)), num_images=2, rounds=2
    )
    memory, small, photos = outcome.tables
    assert photos.title.endswith('JPEG')
    for table in outcome.tables:
        *loaded, there = [row[0] for row in table.rows]
        assert loaded == [data.STOCK, data.OURS, data.LOADER_HALF]
        assert there.startswith('device half')
    assert '32 px' in small.title and small.title != memory.title
    assert memory.rows[0][2] == '1.00 (1.00 to 1.00)'
    assert [len(s) for s in photos.seconds.values()] == [2] * 4
