"""A training starts from a run, and goes on as it was begun."""

import json

import pytest
from in_process import main, refusal
from tiny_run import write_config

from mmdrloc.checkpoints.reading import load_weights
from mmdrloc.checkpoints.write import write_checkpoint
from mmdrloc.utils.files import sha256_of


@pytest.fixture(scope='module')
def trained(tmp_path_factory):
    """A config, and the folder that a training of it left."""
    folder = tmp_path_factory.mktemp('trained')
    path = write_config(folder)
    with pytest.MonkeyPatch.context() as monkeypatch:
        main(
            'train.py',
            path,
            '--cfg-options',
            'train_cfg.max_epochs=1',
            monkeypatch=monkeypatch,
            cwd=folder,
        )
    return path, folder / 'work_dirs/tiny'


def recipe(path, folder):
    """One that starts from weights and leaves open from which."""
    file = folder / 'recipe.py'
    file.write_text(
        f"_base_ = '{path}'\n"
        'model = dict(backbone=dict(\n'
        "    init_cfg=dict(type='Pretrained', prefix='backbone.')))\n"
    )
    return file


def test_from_run_to_run(trained, tmp_path, monkeypatch):
    """Begun from a run, gone on with and without repeating it."""
    path, run = trained
    own = recipe(path, tmp_path)
    where = dict(monkeypatch=monkeypatch, cwd=tmp_path)
    assert 'give --weights FILE' in refusal('train.py', own, **where)
    message = refusal('train.py', own, '--weights', 'none.pth', **where)
    assert 'there is no checkpoint none.pth' in message

    line = ('train.py', own, '--weights', run)
    short = ('--cfg-options', 'train_cfg.max_epochs=1')
    main(*line, '--check', **where)
    work = tmp_path / 'work_dirs/recipe'
    main(*line, *short, **where)
    logs = [log.read_text() for log in work.glob('*/*.log')]
    assert all('model.backbone starts from' in text for text in logs)
    said = json.loads((work / 'result.json').read_text())['run']['weights']
    assert said['file'] == str(run / 'epoch_1.pth')
    assert said['origin'] == 'openmmlab'
    assert said['sha256'] == sha256_of(run / 'epoch_1.pth')

    other = tmp_path / 'other.pth'
    weights = load_weights(run / 'epoch_1.pth')
    write_checkpoint(
        dict(state_dict={n: t + 0.5 for n, t in weights.items()}), other
    )
    message = refusal('train.py', own, '--weights', other, **where)
    assert 'recipe holds another run (weights' in message
    # Nothing is read again: the run has its weights.
    (run / 'epoch_1.pth').write_text('gone')
    main(*line, *longer(2), **where)
    assert (work / 'epoch_2.pth').is_file()
    again = json.loads((work / 'result.json').read_text())['run']['weights']
    assert again == said


def longer(epochs):
    return '--cfg-options', f'train_cfg.max_epochs={epochs}'
