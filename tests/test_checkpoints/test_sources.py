"""A file, a run or an address becomes a file on this machine."""

import shutil

import pytest
import torch

from mmdrloc.checkpoints.sources import find_checkpoint
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def fetched(tmp_path, monkeypatch):
    """Addresses that were asked for; they give what lies in ``there``."""
    addresses = []
    torch.save({'a': torch.ones(2)}, tmp_path / 'there')

    def download(address, path, *args, **kwargs):
        addresses.append(address)
        shutil.copy(tmp_path / 'there', path)

    monkeypatch.setattr(torch.hub, 'get_dir', lambda: str(tmp_path / 'hub'))
    monkeypatch.setattr(torch.hub, 'download_url_to_file', download)
    return addresses


def test_a_published_folder(tmp_path):
    (tmp_path / 'model.safetensors').touch()
    assert find_checkpoint(tmp_path) == tmp_path / 'model.safetensors'


@pytest.mark.parametrize(
    'address',
    [
        'https://example.org/a.pth?download=1',
        f'https://example.org/a.pth?signature={"0" * 400}',
        'torchvision://resnet50',
        'open-mmlab://vgg16_caffe',
        'openmmlab://vgg16_caffe',
    ],
)
def test_an_address_is_fetched_once(fetched, address):
    path = find_checkpoint(address)
    assert torch.load(path)['a'].sum() == 2
    assert find_checkpoint(address) == path
    assert len(fetched) == 1 and fetched[0].startswith('http')


def test_a_name_of_the_zoo(fetched, monkeypatch):
    """Its address is upstream's, and so is its checksum."""
    path = find_checkpoint('swin-tiny_16xb64_in1k')
    assert torch.load(path)['a'].sum() == 2
    [address] = fetched
    assert address.endswith('.pth') and 'swin_tiny' in address

    def download(address, path, checksum):
        assert checksum in address and len(checksum) == 8
        raise RuntimeError(f'invalid hash value (expected "{checksum}")')

    monkeypatch.setattr(torch.hub, 'download_url_to_file', download)
    with pytest.raises(UsageError, match='cannot be fetched .invalid hash'):
        find_checkpoint('resnet18_8xb32_in1k')


def test_a_name_that_is_nearly_of_the_zoo(fetched):
    with pytest.raises(UsageError, match='mean swin-tiny_16xb64_in1k'):
        find_checkpoint('swin-tiny_16xb46_in1k')
    with pytest.raises(UsageError, match='did you mean photos-64px'):
        find_checkpoint('photos-46px')
    with pytest.raises(UsageError, match='there is no checkpoint photos'):
        find_checkpoint('photos')
    assert not fetched


def test_same_name_at_two_addresses(fetched):
    first, second = (
        find_checkpoint(f'https://{name}.org/model.pth') for name in 'ab'
    )
    assert first != second


def test_a_page_or_half_a_file_is_not_kept(fetched, tmp_path):
    whole = (tmp_path / 'there').read_bytes()
    for content in (b'<!DOCTYPE html>', b'', whole[:-50]):
        (tmp_path / 'there').write_bytes(content)
        with pytest.raises(UsageError, match='^https://a.org/x.pth cannot'):
            find_checkpoint('https://a.org/x.pth')
    (tmp_path / 'there').write_bytes(whole)
    assert find_checkpoint('https://a.org/x.pth').is_file()


@pytest.mark.parametrize(
    'address', ['pavi://a', 's3://a/b.pth', 'ftp://a/b', 'open-mmlab://none']
)
def test_address_that_nobody_can_read(address):
    with pytest.raises(UsageError, match=address):
        find_checkpoint(address)
