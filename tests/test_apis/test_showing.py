"""What the recipes are, as a user asks for it."""

import subprocess
import sys

import pytest

from mmdrloc.apis import cli, show


@pytest.fixture
def said(capsys):
    """Run a command; what it prints."""

    def say(*line):
        cli.main(line)
        return capsys.readouterr().out

    return say


def test_all_recipes_fit_on_screens(said):
    lines = said('recipes').splitlines()
    screens = '\n'.join(lines).split('\n\n')
    assert max(len(screen.splitlines()) for screen in screens) <= 50
    assert any('swin-2stage_drloc' in line for line in lines)


def test_recipes_are_found_by_words(said):
    lines = said('recipes', 'swin', 'drloc', 'cifar-10').splitlines()
    names = [line.split()[0] for line in lines[:-1]]
    assert 'scratch_100e/swin-tiny_drloc' in names
    assert all('swin' in name and 'drloc' in name for name in names)
    assert max(map(len, lines)) < 200


@pytest.mark.parametrize(
    'words, answer', [(['swim'], 'swin'), (['swin', 'pets'], 'pets')]
)
def test_nothing_found_is_answered_with_what_there_is(words, answer, said):
    with pytest.raises(SystemExit, match=answer):
        said('recipes', *words)


def test_a_pipe_that_is_closed():
    code = 'from mmdrloc.apis.cli import main; main(["recipes"])'
    with subprocess.Popen(
        [sys.executable, '-c', code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        assert not process.stderr.read()


@pytest.mark.parametrize(
    'recipe, known',
    [
        (
            'scratch_100e/swin-tiny_drloc',
            {
                'optimizer': 'lr=0.001, weight_decay=0.05',
                'epochs': '100',
                'batch size': '128',
                'schedule': 'end=20',
                'augmentation': 'RandomResizedCrop(scale=224',
                'baseline': 'scratch_100e/swin-tiny',
                'published': '83.89',
            },
        ),
        (
            'quickstart/mask-rcnn_swin-2stage',
            {'measured': 'box AP', 'augmentation': '128', 'epochs': '9'},
        ),
        (
            'coco/mask-rcnn_swin-tiny_1x-paper',
            {
                'augmentation': 'crop_size=(384, 600)',
                'schedule': 'milestones=[8, 11]',
                'published': 'mask AP',
            },
        ),
        (
            'ade20k/upernet_swin-tiny_160k-paper',
            {'augmentation': 'crop_size=(512, 512)', 'schedule': 'power=1.0'},
        ),
        (
            'quickstart/upernet_swin-2stage',
            {'network': 'SwinTransformer', 'iterations': '1000'},
        ),
    ],
)
def test_a_recipe_is_shown(recipe, known, said):
    text = said('show', recipe)
    told = dict(line.split(':', 1) for line in text.splitlines()[1:])
    for name, part in known.items():
        assert part in told[name], name
    assert len(told) <= 20
    assert not any(value.endswith(' ...') for value in told.values())


def test_a_recipe_for_photos_knows_no_number_of_images():
    assert 'dataset:        photos\n' in show('photos/swin-mini')


def test_a_recipe_is_shown_with_data_of_ones_own():
    assert '73,257 training images' in show('scratch_100e/swin-tiny', 'svhn')
