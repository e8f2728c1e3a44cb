"""Which checkpoint a run goes on from."""

from pathlib import Path

import pytest
import torch

from mmdrloc.checkpoints.saved import (
    last_checkpoint,
    note_checkpoint,
    remove_interrupted,
    written_checkpoints,
)


@pytest.fixture
def save(tmp_path):
    def make(name, folder=tmp_path):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        torch.save(dict(weights=torch.arange(1000)), path)
        return path

    return make


@pytest.fixture
def note(save, tmp_path):
    """Write a checkpoint as a run does."""

    def write(name, resumable=True):
        note_checkpoint(tmp_path, tmp_path / name, resumable)
        return save(name)

    return write


def test_the_newest_of_mmengines_tools(save, tmp_path):
    for name in (
        'epoch_9.pth',
        'epoch_10.pth',
        'best_top1_epoch_11.pth',
        'swin_window7_224.pth',
        '.epoch_12.pth.77.tmp',
    ):
        save(name)
    assert last_checkpoint(tmp_path).name == 'epoch_10.pth'
    assert not written_checkpoints(tmp_path)


def test_a_folder_that_is_a_link(save, tmp_path, monkeypatch):
    """The checkpoints are elsewhere, beside the link."""
    (tmp_path / 'disk/deep/runs').mkdir(parents=True)
    (tmp_path / 'here').mkdir()
    monkeypatch.chdir(tmp_path / 'here')
    Path('work_dirs').symlink_to('../disk/deep/runs')
    Path('work_dirs/w').mkdir()
    for number in (1, 2):
        name = f'ckpts/w/epoch_{number}.pth'
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        note_checkpoint('work_dirs/w', name, True)
        save(name, Path())
    assert last_checkpoint('work_dirs/w').samefile('ckpts/w/epoch_2.pth')
    assert len(written_checkpoints('work_dirs/w')) == 2


def test_what_a_run_has_written_counts(save, note, tmp_path):
    """Its last one, whatever it is called; not what lies beside it."""
    save('epoch_99.pth')
    for name in ('a.pth', 'step-2.pth', 'interrupted_iter_3.pth'):
        note(name)
    note('best.pth', resumable=False)
    assert last_checkpoint(tmp_path).name == 'interrupted_iter_3.pth'
    remove_interrupted(tmp_path, but='interrupted_iter_3.pth')
    assert last_checkpoint(tmp_path).name == 'interrupted_iter_3.pth'
    remove_interrupted(tmp_path)
    assert last_checkpoint(tmp_path).name == 'step-2.pth'
    note('a.pth')  # again
    assert last_checkpoint(tmp_path).name == 'a.pth'
    names = [path.name for path in written_checkpoints(tmp_path)]
    assert names == ['step-2.pth', 'best.pth', 'a.pth']
    (tmp_path / 'a.pth').unlink()
    assert last_checkpoint(tmp_path).name == 'step-2.pth'


def test_checkpoints_elsewhere(save, tmp_path, monkeypatch):
    """Below the current folder they move with the run, others stay."""
    project, disk = tmp_path / 'project', tmp_path / 'disk'
    run = project / 'run'
    run.mkdir(parents=True)
    monkeypatch.chdir(project)
    for place in ('ckpts', disk):
        note_checkpoint('run', f'{place}/epoch_1.pth', True)
        save('epoch_1.pth', project / place)
    moved = project.rename(tmp_path / 'moved') / 'run'
    monkeypatch.chdir(tmp_path)
    assert last_checkpoint(moved) == disk / 'epoch_1.pth'
    (disk / 'epoch_1.pth').unlink()
    assert last_checkpoint(moved).samefile('moved/ckpts/epoch_1.pth')


def cut(data):
    return data[: len(data) // 2]


def flip(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.mark.parametrize('damage', [cut, flip, lambda data: b''])
def test_a_damaged_one_is_named(note, tmp_path, damage, capsys):
    older, newest = note('epoch_1.pth'), note('epoch_2.pth')
    newest.write_bytes(damage(newest.read_bytes()))
    assert last_checkpoint(tmp_path) == older
    said = capsys.readouterr().err
    assert 'epoch_2.pth, damaged' in said
    assert 'epoch_1.pth is the last complete one' in said
    older.write_bytes(damage(older.read_bytes()))
    assert last_checkpoint(tmp_path) is None
    assert 'there is no complete one' in capsys.readouterr().err
