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


def test_a_folder_of_recipes_is_listed_alone(said):
    *lines, _ = said('recipes', 'photos').splitlines()
    assert all(line.startswith('photos/') for line in lines)
    assert any(line.startswith('photos/swin-tiny_112px') for line in lines)
    # Lines with a hundred words hide the names.
    assert max(map(len, lines)) < 130


def test_names_that_match_come_first(said):
    *lines, _ = said('recipes', 'people').splitlines()
    named = ['people' in line.split()[0] for line in lines]
    assert named == sorted(named, reverse=True) and True in named


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
    pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with subprocess.Popen([sys.executable, '-c', code], **pipes) as process:
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
            'coco/mask-rcnn_swin-tiny_1x-paper',
            {
                'augmentation': 'crop_size=(384, 600)',
                'schedule': 'milestones=[8, 11]',
                'published': 'mask AP',
            },
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


def test_the_number_of_images_is_that_of_the_data():
    assert 'dataset:        photos\n' in show('photos/swin-mini')
    assert '73,257 training images' in show('scratch_100e/swin-tiny', 'svhn')


def test_several_auxiliary_heads(tmp_path):
    path = tmp_path / 'net.py'
    path.write_text(
        "_base_ = ['mmseg::bisenetv2/bisenetv2_fcn_4xb4-160k_cityscapes-"
        "1024x1024.py']\n"
    )
    assert 'BiSeNetV2' in show(path)
