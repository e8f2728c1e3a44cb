"""Checkpoints are read as data; what cannot be read is said in a sentence."""

import numpy as np
import pytest
import torch
from hostile import Hostile
from mmengine.logging import HistoryBuffer
from safetensors.torch import save_file

from mmdrloc.checkpoints.reading import (
    checkpoint,
    load_checkpoint,
    load_weights,
    trust_files,
)
from mmdrloc.utils.errors import UsageError


@pytest.fixture(params=['torch', 'own table'])
def reader(request, monkeypatch):
    """Both ways to read as data; this torch takes the first if it can."""
    if request.param == 'own table':
        monkeypatch.setattr(
            checkpoint, '_read_data_only', checkpoint._read_with_own_table
        )


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


def test_checkpoint_of_mmengine_needs_no_trust(tmp_path, reader):
    torch.save(training_checkpoint(), tmp_path / 'a.pth')
    read = load_checkpoint(tmp_path / 'a.pth')
    buffer = read['message_hub']['log_scalars']['train/loss']
    assert buffer.mean() == 1.5
    assert read['message_hub']['runtime_info']['lr'] == 0.1


@pytest.mark.parametrize('place', [b'numpy.core', b'numpy._core'])
def test_checkpoint_written_with_another_numpy(tmp_path, reader, place):
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


@pytest.mark.parametrize('zipped', [True, False])
def test_hostile_checkpoint_is_refused_and_not_run(tmp_path, reader, zipped):
    content = training_checkpoint()
    content['extra'] = Hostile(tmp_path / 'made')
    torch.save(
        content, tmp_path / 'a.pth', _use_new_zipfile_serialization=zipped
    )
    with pytest.raises(UsageError, match='--trust'):
        load_checkpoint(tmp_path / 'a.pth')
    assert not (tmp_path / 'made').exists()
    trust_files(True)
    load_checkpoint(tmp_path / 'a.pth')
    assert (tmp_path / 'made').exists()


@pytest.mark.parametrize(
    'owner,name', [(HistoryBuffer, '__init__'), (dict, 'fromkeys')]
)
def test_getattr_serves_buffers_only(tmp_path, reader, owner, name):
    torch.save(dict(extra=Getattr(owner, name)), tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='--trust'):
        load_checkpoint(tmp_path / 'a.pth')


@pytest.mark.parametrize('trust', [False, True])
@pytest.mark.parametrize('content', ['truncated', b'', b'hello\n', b'\x80'])
def test_damaged_file(tmp_path, reader, content, trust):
    trust_files(trust)
    path = tmp_path / 'a.pth'
    if content == 'truncated':
        torch.save(training_checkpoint(), path)
        content = path.read_bytes()[:-100]
    path.write_bytes(content)
    with pytest.raises(UsageError, match='a.pth is damaged'):
        load_checkpoint(path)


def test_missing_file(tmp_path):
    with pytest.raises(UsageError, match='there is no checkpoint .*none.pth'):
        load_checkpoint(tmp_path / 'none.pth')


def test_not_a_checkpoint(tmp_path):
    torch.save([1, 2], tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='holds a list'):
        load_checkpoint(tmp_path / 'a.pth')


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


def test_safetensors(tmp_path):
    save_file({'backbone.a': torch.ones(2)}, tmp_path / 'a.safetensors')
    weights = load_weights(tmp_path / 'a.safetensors')
    assert weights['backbone.a'].equal(torch.ones(2))
    (tmp_path / 'b.safetensors').write_bytes(b'nothing')
    with pytest.raises(UsageError, match='is damaged'):
        load_weights(tmp_path / 'b.safetensors')


def test_weights_lose_the_wrapper_prefix(tmp_path):
    torch.save(
        dict(
            state_dict={
                'module.backbone.a': torch.ones(2),
                'module.backbone.module.b': torch.ones(1),
            }
        ),
        tmp_path / 'a.pth',
    )
    assert list(load_weights(tmp_path / 'a.pth')) == [
        'backbone.a',
        'backbone.module.b',
    ]


@pytest.mark.parametrize('value', [float('nan'), float('inf')])
def test_weights_must_be_finite(tmp_path, value):
    torch.save({'backbone.a': torch.tensor([0.0, value])}, tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='NaN or infinity in backbone.a'):
        load_weights(tmp_path / 'a.pth')


def test_no_weights(tmp_path):
    torch.save(dict(state_dict={}), tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='no model weights'):
        load_weights(tmp_path / 'a.pth')
