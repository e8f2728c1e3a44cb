"""Files are read as data; what cannot be read is said in a sentence."""

import os
import pickle
import zipfile
from pathlib import Path

import mmengine
import numpy as np
import pytest
import torch
from hostile import CHECKPOINTS, Hostile
from mmengine.fileio.handlers import file_handlers
from mmengine.logging import HistoryBuffer
from mmengine.utils import digit_version
from safetensors.torch import save_file

from mmdrloc.checkpoints.reading import (
    files_are_trusted,
    files_as_data,
    is_complete,
    load_checkpoint,
    load_weights,
)
from mmdrloc.utils.errors import UsageError

needs_safe_globals = pytest.mark.skipif(
    digit_version(torch.__version__) < digit_version('2.6.0'),
    reason='before torch 2.6, checkpoints of MMEngine need --trust',
)


@pytest.fixture
def marker(tmp_path):
    yield tmp_path / 'made'
    assert not (tmp_path / 'made').exists()


class Getattr:
    """Asks for an attribute when it is unpickled."""

    def __init__(self, owner, name: str) -> None:
        self.call = owner, name

    def __reduce__(self):
        return getattr, self.call


def training_checkpoint() -> dict:
    buffer = HistoryBuffer([1.0, 2.0], [1, 1])
    return dict(
        meta=dict(epoch=2, cfg='a = 1'),
        state_dict={'backbone.a': torch.ones(2)},
        message_hub=dict(
            log_scalars={'train/loss': buffer},
            runtime_info={'lr': np.float64(0.1), 'best': np.array([1, 2])},
        ),
    )


@needs_safe_globals
def test_checkpoint_of_mmengine_needs_no_trust(tmp_path):
    torch.save(training_checkpoint(), tmp_path / 'a.pth')
    read = load_checkpoint(tmp_path / 'a.pth')
    buffer = read['message_hub']['log_scalars']['train/loss']
    assert buffer.mean() == 1.5
    assert read['message_hub']['runtime_info']['lr'] == 0.1


@needs_safe_globals
@pytest.mark.parametrize('place', [b'numpy.core', b'numpy._core'])
def test_checkpoint_written_with_another_numpy(tmp_path, place):
    torch.save(
        training_checkpoint(),
        tmp_path / 'a.pth',
        _use_new_zipfile_serialization=False,
    )
    content = (tmp_path / 'a.pth').read_bytes()
    content = content.replace(b'cnumpy.core', b'c' + place)
    content = content.replace(b'cnumpy._core', b'c' + place)
    assert b'c' + place + b'.multiarray' in content
    (tmp_path / 'a.pth').write_bytes(content)
    load_checkpoint(tmp_path / 'a.pth')


@pytest.mark.parametrize(
    'owner,name', [(HistoryBuffer, '__init__'), (dict, 'fromkeys')]
)
def test_getattr_serves_buffers_only(tmp_path, owner, name):
    torch.save(dict(extra=Getattr(owner, name)), tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='--trust'):
        load_checkpoint(tmp_path / 'a.pth')


@pytest.mark.parametrize('trust', [False, True])
@pytest.mark.parametrize(
    'content', ['truncated', b'', b'<!DOCTYPE html>\n', b'\x80']
)
def test_damaged_file(tmp_path, content, trust):
    path = tmp_path / 'a.pth'
    if content == 'truncated':
        torch.save(training_checkpoint(), path)
        content = path.read_bytes()[:-100]
    path.write_bytes(content)
    with (
        files_as_data(trust),
        pytest.raises(UsageError, match='a.pth is damaged'),
    ):
        load_checkpoint(path)


def test_classes_in_safetensors(tmp_path):
    path = tmp_path / 'a.safetensors'

    def write(said):
        save_file({'a': torch.ones(2)}, path, dict(dataset_meta=said))

    write('{"classes": ["cat", "dog"]}')
    meta = load_checkpoint(path)['meta']
    assert meta == dict(dataset_meta=dict(classes=['cat', 'dog']))
    for said in ('{', '1', '"classes"', '[' * 100_000):
        write(said)
        with pytest.raises(UsageError, match='is damaged'):
            load_checkpoint(path)


# ---- formats ---------------------------------------------------------------


def saved(path: Path) -> Path:
    torch.save(dict(state_dict={'a': torch.arange(100.0)}), path)
    return path


def test_name_does_not_matter(tmp_path):
    save_file({'a': torch.ones(2)}, tmp_path / 'a.pth')
    saved(tmp_path / 'a.safetensors')
    assert load_weights(tmp_path / 'a.pth')['a'].sum() == 2
    assert load_weights(tmp_path / 'a.safetensors')['a'].sum() == 4950


def test_other_things_than_files(tmp_path):
    os.mkfifo(tmp_path / 'pipe')
    (tmp_path / 'link').symlink_to(tmp_path / 'pipe')
    (tmp_path / 'loop').symlink_to(tmp_path / 'loop')
    for name in ('pipe', 'link', 'loop', '.', 'none', '\0', '/dev/zero'):
        with pytest.raises(UsageError, match='there is no checkpoint'):
            load_checkpoint(tmp_path / name)


def test_a_file_of_someone_else_is_not_damaged(tmp_path, monkeypatch):
    def refuse(*args, **options):
        raise PermissionError(13, 'Permission denied')

    path = saved(tmp_path / 'a.pth')
    monkeypatch.setattr(torch, 'load', refuse)
    with pytest.raises(PermissionError):
        load_checkpoint(path)


def test_programs_and_other_archives(tmp_path):
    torch.jit.script(torch.nn.Linear(2, 2)).save(str(tmp_path / 'a.pt'))
    assert not is_complete(tmp_path / 'a.pt')  # whatever torch says of it
    with pytest.raises(UsageError, match='is damaged, incomplete or no'):
        load_checkpoint(tmp_path / 'a.pt')
    with zipfile.ZipFile(tmp_path / 'b.zip', 'w') as archive:
        archive.writestr('readme.txt', 'hello')
    with pytest.raises(UsageError, match='is damaged, incomplete or no'):
        load_checkpoint(tmp_path / 'b.zip')


def test_archive_that_unpacks_to_more_than_its_size(tmp_path):
    path = saved(tmp_path / 'a.pth')
    with zipfile.ZipFile(path) as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    deflated = zipfile.ZipFile(tmp_path / 'b.pth', 'w', zipfile.ZIP_DEFLATED)
    with deflated as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
        archive.writestr('archive/data/9', bytes(1 << 20))
    with pytest.raises(UsageError, match='is damaged, incomplete or no'):
        load_checkpoint(tmp_path / 'b.pth')


def test_tensor_that_claims_more_than_there_is(tmp_path):
    tensor = torch.ones(1).expand(1 << 40)
    torch.save({'a': tensor}, tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='of a kind that cannot'):
        load_weights(tmp_path / 'a.pth')


@pytest.mark.parametrize(
    'content',
    [
        {'a': torch.eye(3).to_sparse()},
        {'a': torch.empty(2, device='meta')},
        {'a': torch.zeros(2)},
        {'a': torch.tensor([0.0, float('inf')])},
        dict(state_dict={}),
        dict(state_dict=[1]),
        dict(state_dict='x'),
        dict(state_dict={1: torch.ones(2)}),
        dict(model=[torch.ones(2)]),
        dict(state_dict={'a': 1}),
        [],
        {},
    ],
    ids=str,
)
def test_odd_contents(tmp_path, content):
    torch.save(content, tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='a.pth') as error:
        load_weights(tmp_path / 'a.pth')
    assert '\n' not in str(error.value)


def test_whatever_is_noted_beside_the_weights(tmp_path):
    content = dict(meta='of a program', state_dict={'a': torch.ones(1)})
    torch.save(content, tmp_path / 'a.pth')
    assert load_weights(tmp_path / 'a.pth') == {'a': torch.ones(1)}


@pytest.mark.parametrize('plain', ['state_dict', 'model_state_dict', 'net'])
@pytest.mark.parametrize('averaged', ['state_dict_ema', 'model_ema', 'ema'])
def test_averaged_weights_come_first(tmp_path, plain, averaged):
    raw, average = {'a': torch.ones(1)}, {'a': 2 * torch.ones(1)}
    count = torch.tensor(3)
    for found, expected in (
        (average, 2),
        (dict(decay=0.9), 1),
        (torch.ones(2, 2), 1),
        (dict(module=average, updates=5, config={}), 2),
        # Beside the count of its updates.
        (dict(num_updates=count, shadow=average), 2),
        (dict(num_updates=count, shadow=[torch.ones(1)]), 1),
    ):
        torch.save({plain: raw, averaged: found}, tmp_path / 'a.pth')
        assert load_weights(tmp_path / 'a.pth')['a'] == expected


def test_weights_under_an_unknown_name(tmp_path):
    torch.save(dict(mine={'a': torch.ones(1)}, epoch=3), tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='under mine, epoch: save'):
        load_weights(tmp_path / 'a.pth')


# ---- what libraries read ----------------------------------------------------


@pytest.mark.parametrize('suffix', ['pkl', 'pickle'])
def test_pickles_are_refused_without_trust(tmp_path, marker, suffix):
    path = tmp_path / f'a.{suffix}'
    path.write_bytes(pickle.dumps([Hostile(marker)]))
    with files_as_data():
        with pytest.raises(UsageError, match='is a pickle.*--trust'):
            mmengine.load(str(path))
        with pytest.raises(UsageError), open(path, 'rb') as file:
            mmengine.load(file, file_format='pkl')


def test_other_callers_of_torch(tmp_path, marker):
    CHECKPOINTS[0](tmp_path / 'a.pth', marker)
    with files_as_data(), pytest.raises(pickle.UnpicklingError):
        torch.load(tmp_path / 'a.pth', weights_only=False)


def test_afterwards_everything_is_as_before(tmp_path, monkeypatch):
    monkeypatch.setenv('TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD', '1')
    (tmp_path / 'a.pkl').write_bytes(pickle.dumps((1, 2)))
    (tmp_path / 'a.yml').write_text('!!python/tuple [1, 2]')
    before, handlers = dict(os.environ), dict(file_handlers)
    for path in (tmp_path / 'a.pkl', tmp_path / 'a.yml'):
        with files_as_data():
            with files_as_data(trust=True):
                assert files_are_trusted()
                assert mmengine.load(path) == (1, 2)
            assert not files_are_trusted()
            with pytest.raises((UsageError, ValueError)):
                mmengine.load(path)
        assert dict(os.environ) == before and file_handlers == handlers
        assert mmengine.load(path) == (1, 2)
