"""What is said of weights that are not there."""

from pathlib import Path

import pytest

from mmdrloc.preflight.makers import how_to_get

ROOT = Path(__file__).parents[2]
TRAIN = 'python tools/train.py configs/'


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize(
    ('path', 'command'),
    [
        (
            'work_dirs/swin-tiny_drloc_imagenet-100/epoch_300.pth',
            'scratch_300e/swin-tiny_drloc.py --dataset imagenet-100',
        ),
        (
            'elsewhere/idmm_deit-tiny_flowers102',
            'idmm/pretrain/idmm_deit-tiny.py --dataset flowers102',
        ),
    ],
)
def test_the_training_that_makes_it(path, command):
    assert how_to_get(path) == f': make it with `{TRAIN}{command}`'


def test_all_that_could_make_it():
    said = how_to_get('work_dirs/swin-tiny_cifar10')
    assert f'`{TRAIN}scratch_100e/swin-tiny.py --dataset cifar10`' in said
    assert f'`{TRAIN}scratch_300e/swin-tiny.py --dataset cifar10`' in said
    assert (
        f'`{TRAIN}finetune_100e/swin-tiny.py --dataset cifar10 --weights '
        'FILE` (it starts from weights itself)'
    ) in said


def test_the_number_of_an_epoch_leaves_some_out():
    said = how_to_get('work_dirs/swin-tiny_cifar10/epoch_100.pth')
    assert 'scratch_100e' in said and 'scratch_300e' not in said


def test_a_file_of_its_authors():
    said = how_to_get('downloads/resnet50-0676ba61.pth')
    assert said == (
        ': download it from '
        'https://download.pytorch.org/models/resnet50-0676ba61.pth'
    )


@pytest.mark.parametrize(
    'path',
    ['a.pth', 'work_dirs/swin-tiny_unknown/epoch_1.pth', 'work_dirs', '/'],
)
def test_nothing_is_known(path):
    assert how_to_get(path) == ': correct the path'


@pytest.mark.parametrize('dataset', ['coco', 'ade20k'])
def test_data_for_another_task(dataset):
    assert how_to_get(f'runs/swin-tiny_{dataset}') == ': correct the path'
