"""A complete checkpoint at every moment, whatever happens."""

import os
import shutil

import pytest
from toy_run import toy_runner

from mmdrloc.checkpoints.reading import is_complete
from mmdrloc.checkpoints.saved import last_checkpoint


def names(folder):
    kept = [p.name for p in folder.iterdir() if p.is_file()]
    return sorted(name for name in kept if name.endswith('.pth'))


def test_one_is_there_while_another_is_written(tmp_path, monkeypatch):
    seen = []
    replace = os.replace

    def noted(temporary, path):
        if path.name.startswith('epoch'):
            seen.append([is_complete(p) for p in tmp_path.glob('epoch_*')])
        replace(temporary, path)

    monkeypatch.setattr(os, 'replace', noted)
    toy_runner(tmp_path, epochs=4, max_keep_ckpts=2).train()
    assert seen == [[], [True], [True], [True]]
    assert names(tmp_path) == ['epoch_3.pth', 'epoch_4.pth']
    assert last_checkpoint(tmp_path).name == 'epoch_4.pth'


def test_a_copied_run_touches_its_own_files_alone(tmp_path):
    first, copy = tmp_path / 'first', tmp_path / 'copy'
    best = dict(save_best='score', rule='greater')
    toy_runner(first, epochs=2, **best).train()
    before = names(first)
    shutil.copytree(first, copy)
    last = last_checkpoint(copy)
    toy_runner(copy, epochs=4, resume=last, validations=2, **best).train()
    assert names(first) == before
    assert names(copy) == [
        'best_score_epoch_4.pth',
        'epoch_3.pth',
        'epoch_4.pth',
    ]


def test_a_disk_that_fills_up(tmp_path, monkeypatch):
    """While the second checkpoint is written."""
    written = []

    def put(backend, data, path):
        with open(path, 'wb') as file:
            if written:
                file.write(data[:100])
                raise OSError(28, 'No space left on device')
            file.write(data)
        written.append(path)

    monkeypatch.setattr('mmengine.fileio.LocalBackend.put', put)
    with pytest.raises(OSError, match='No space left'):
        toy_runner(tmp_path).train()
    assert names(tmp_path) == ['epoch_1.pth']
    assert last_checkpoint(tmp_path).name == 'epoch_1.pth'
