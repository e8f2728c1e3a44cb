"""From pre-training to fine-tuning, by the public commands."""

import json

import command_line
import pytest
import tiny_mae
from PIL import Image


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """A pre-training of two epochs, validated after each."""
    folder = tmp_path_factory.mktemp('mae')
    config = tiny_mae.write_pretraining(folder)
    outcome = command_line.run(
        'train.py', config, '--work-dir', 'mae', cwd=folder
    )
    assert outcome.returncode == 0, outcome.stderr
    return folder


def test_each_validation_has_its_losses_and_its_picture(folder):
    result = json.loads((folder / 'mae/result.json').read_text())
    assert len(result['validations']) == 2
    losses = [
        entry['metrics']['reconstruction/loss']
        for entry in result['validations']
    ]
    # Of a loss the lowest value is the best.
    assert result['best']['reconstruction/loss']['value'] == min(losses)
    pictures = sorted((folder / 'mae').glob('*/vis_data/vis_image/*.png'))
    assert [path.name for path in pictures] == [
        'reconstruction_1.png',
        'reconstruction_2.png',
    ]
    first, second = (Image.open(path) for path in pictures)
    assert first.size == second.size
    assert first.tobytes() != second.tobytes()


def test_the_same_picture_by_one_command(folder):
    outcome = command_line.run(
        'analysis_tools/draw.py',
        'reconstructions',
        'mae.py',
        'mae/epoch_2.pth',
        '--out',
        'again.png',
        '--num-images',
        3,
        '--trust',
        cwd=folder,
    )
    assert outcome.returncode == 0, outcome.stderr
    (picture,) = (folder / 'mae').glob('*/vis_data/*/reconstruction_2.png')
    again = Image.open(folder / 'again.png')
    assert again.tobytes() == Image.open(picture).tobytes()


@pytest.mark.slow
def test_fine_tuning_starts_from_all_of_the_encoder(folder):
    config = tiny_mae.write_classifier(
        folder / 'mae.py', folder / 'backbone.pth'
    )
    outcome = command_line.run(
        'transfer.py',
        'mae/epoch_2.pth',
        'backbone.pth',
        '--config',
        config,
        '--audit-json',
        'audit.json',
        cwd=folder,
    )
    assert outcome.returncode == 0, outcome.stderr
    audit = json.loads((folder / 'audit.json').read_text())
    assert {'cls_token', 'pos_embed', 'ln1.weight'} <= set(audit['loaded'])
    assert not audit['missing'] + audit['unexpected'] + audit['resized']
    assert {name.split('.')[0] for name in audit['dropped']} == {'neck'}

    outcome = command_line.run(
        'train.py', config, '--work-dir', 'classifier', cwd=folder
    )
    assert outcome.returncode == 0, outcome.stderr
    total = len(audit['loaded'])
    assert f'{total} of {total} tensors loaded and equal' in outcome.stdout
