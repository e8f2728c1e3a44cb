"""What a file is, its content tells."""

import os
import zipfile
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from mmdrloc.checkpoints.reading import (
    load_checkpoint,
    load_weights,
    trust_files,
)
from mmdrloc.checkpoints.reading.formats import MAGIC, Format, format_of
from mmdrloc.utils.errors import UsageError


def saved(path: Path) -> Path:
    torch.save(dict(state_dict={'a': torch.arange(100.0)}), path)
    return path


def test_name_does_not_matter(tmp_path):
    save_file({'a': torch.ones(2)}, tmp_path / 'a.pth')
    saved(tmp_path / 'a.safetensors')
    assert format_of(tmp_path / 'a.pth') is Format.SAFETENSORS
    assert format_of(tmp_path / 'a.safetensors') is Format.ZIP
    assert load_weights(tmp_path / 'a.pth')['a'].sum() == 2
    assert load_weights(tmp_path / 'a.safetensors')['a'].sum() == 4950


def test_signature_of_the_old_format_is_torchs(tmp_path):
    torch.save({}, tmp_path / 'a.pth', _use_new_zipfile_serialization=False)
    assert (tmp_path / 'a.pth').read_bytes().startswith(MAGIC)


@pytest.mark.parametrize('trust', [False, True])
def test_other_things_than_files(tmp_path, trust):
    trust_files(trust)
    os.mkfifo(tmp_path / 'pipe')
    (tmp_path / 'link').symlink_to(tmp_path / 'pipe')
    (tmp_path / 'loop').symlink_to(tmp_path / 'loop')
    for name, words in (
        ('pipe', 'is a pipe or a device'),
        ('link', 'is a pipe or a device'),
        ('loop', 'there is no checkpoint'),
        ('.', 'is a folder'),
        ('none', 'there is no checkpoint'),
        ('\0', 'there is no checkpoint'),
        ('/dev/zero', 'is a pipe or a device'),
    ):
        with pytest.raises(UsageError, match=words):
            load_checkpoint(tmp_path / name)


def test_link_to_a_checkpoint(tmp_path):
    (tmp_path / 'link.pth').symlink_to(saved(tmp_path / 'a.pth'))
    load_checkpoint(tmp_path / 'link.pth')


def test_changed_bytes_are_noticed(tmp_path):
    path = saved(tmp_path / 'a.pth')
    content = bytearray(path.read_bytes())
    place = content.index(torch.tensor([50.0, 51.0]).numpy().tobytes())
    content[place] ^= 1
    path.write_bytes(content)
    assert torch.load(path)  # which does not look
    with pytest.raises(UsageError, match='does not have the checksum'):
        load_checkpoint(path)


def rezipped(path: Path, out: Path, compression: int, **more: bytes) -> Path:
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, 'w') as new:
        for name in old.namelist():
            new.writestr(name, old.read(name), compression)
        for name, content in more.items():
            new.writestr(f'a/{name}', content, compression)
    return out


def test_bomb(tmp_path):
    bomb = rezipped(
        saved(tmp_path / 'a.pth'),
        tmp_path / 'b.pth',
        zipfile.ZIP_DEFLATED,
        more=bytes(1 << 24),
    )
    with pytest.raises(UsageError, match='unpacks to more than it is'):
        load_checkpoint(bomb)


@pytest.mark.parametrize('trust', [False, True])
def test_programs_and_other_archives(tmp_path, trust):
    trust_files(trust)
    torch.jit.script(torch.nn.Linear(2, 2)).save(str(tmp_path / 'a.pt'))
    with pytest.raises(UsageError, match='is a program for TorchScript'):
        load_checkpoint(tmp_path / 'a.pt')
    with zipfile.ZipFile(tmp_path / 'b.zip', 'w') as archive:
        archive.writestr('readme.txt', 'hello')
    with pytest.raises(UsageError, match='torch.save did not write'):
        load_checkpoint(tmp_path / 'b.zip')


def test_tensor_that_claims_more_than_there_is(tmp_path):
    tensor = torch.ones(1).expand(1 << 40)
    torch.save({'a': tensor}, tmp_path / 'a.pth')
    with pytest.raises(UsageError, match='claims 1,099,511,627,776 values'):
        load_weights(tmp_path / 'a.pth')


def test_storage_that_claims_more_than_there_is(tmp_path):
    path = tmp_path / 'a.pth'
    torch.save(
        {'a': torch.ones(5)}, path, _use_new_zipfile_serialization=False
    )
    content = path.read_bytes()
    path.write_bytes(content.replace(b'K\x05', b'J\x00\x00\x00\x70'))
    with pytest.raises(UsageError):
        load_weights(path)


@pytest.mark.parametrize(
    'content,words',
    [
        ({'a': torch.eye(3).to_sparse()}, 'is sparse|more than tensors'),
        (
            {'a': torch.empty(2, device='meta')},
            'has no values|more than tensors',
        ),
        (
            {'a': torch.quantize_per_tensor(torch.ones(2), 1, 0, torch.qint8)},
            'quantized|more than tensors|damaged',
        ),
        (dict(state_dict=[1]), 'its `state_dict` is a list'),
        (dict(state_dict='x'), 'its `state_dict` is a str'),
        (dict(state_dict={1: torch.ones(2)}), 'a tensor named 1'),
        (dict(model=[torch.ones(2)]), 'holds a list where its weights'),
        (dict(state_dict={'a': 1}), 'holds no model weights'),
        (dict(meta='x', state_dict={'a': torch.ones(1)}), '`meta` is a str'),
        (
            dict(message_hub=[], state_dict={'a': torch.ones(1)}),
            '`message_hub` is a list',
        ),
        ([], 'holds a list'),
        ({}, 'holds no model weights'),
    ],
    ids=str,
)
def test_odd_contents(tmp_path, content, words):
    torch.save(content, tmp_path / 'a.pth')
    with pytest.raises(UsageError, match=words) as error:
        load_weights(tmp_path / 'a.pth')
    assert '\n' not in str(error.value)
