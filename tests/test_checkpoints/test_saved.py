"""Which checkpoint a run goes on from."""

import pytest
import torch

from mmdrloc.checkpoints.saved import (
    checkpoints,
    last_checkpoint,
    remove_interrupted,
)


@pytest.fixture
def save(tmp_path):
    def make(name):
        path = tmp_path / name
        torch.save(dict(weights=torch.arange(1000)), path)
        return path

    return make


@pytest.mark.parametrize('text', ['/gone/run/epoch_1.pth', 'run/epoch_1.pth'])
def test_pointers_of_mmengine(save, tmp_path, text):
    path = save('epoch_1.pth')
    save('epoch_2.pth')
    (tmp_path / 'last_checkpoint').write_text(text)
    assert last_checkpoint(tmp_path) == path


@pytest.mark.parametrize('pointer', [None, '', 'gone.pth', '\udcff\n'])
def test_without_a_pointer_the_newest(save, tmp_path, pointer):
    for name in (
        'epoch_9.pth',
        'epoch_10.pth',
        'best_top1_epoch_11.pth',
        'backbone.pth',
        'run-12345678.pth',
        '.epoch_12.pth.77.tmp',
    ):
        save(name)
    if pointer is not None:
        content = pointer.encode(errors='surrogateescape')
        (tmp_path / 'last_checkpoint').write_bytes(content)
    assert last_checkpoint(tmp_path).name == 'epoch_10.pth'
    save('interrupted_iter_3.pth')
    assert last_checkpoint(tmp_path).name == 'interrupted_iter_3.pth'
    remove_interrupted(tmp_path)
    assert sorted(p.name for p in checkpoints(tmp_path)) == [
        'best_top1_epoch_11.pth',
        'epoch_10.pth',
        'epoch_9.pth',
    ]


def cut(data):
    return data[: len(data) // 2]


def flip(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.mark.parametrize('damage', [cut, flip, lambda data: b''])
def test_a_damaged_one_is_named(save, tmp_path, damage, capsys):
    older, newest = save('epoch_1.pth'), save('epoch_2.pth')
    newest.write_bytes(damage(newest.read_bytes()))
    (tmp_path / 'last_checkpoint').write_text('epoch_2.pth')
    assert last_checkpoint(tmp_path) == older
    said = capsys.readouterr().err
    assert 'epoch_2.pth cannot be used' in said
    assert 'epoch_1.pth is the last complete one' in said
    older.write_bytes(damage(older.read_bytes()))
    assert last_checkpoint(tmp_path) is None
    assert 'there is no complete one' in capsys.readouterr().err
