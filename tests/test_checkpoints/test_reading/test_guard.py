"""MMEngine and its libraries run nothing that a file contains."""

import io
import os
import pickle

import mmengine
import numpy as np
import pytest
import torch
from hostile import CHECKPOINTS, Hostile, zip_file
from mmengine.model import BaseModule, PretrainedInit
from mmengine.runner import CheckpointLoader
from mmengine.runner.checkpoint import load_checkpoint as mmengine_load
from torch import nn

from mmdrloc.checkpoints.reading import guard_files, local_file, trust_files
from mmdrloc.checkpoints.reading.guard import load_from_mmdrloc
from mmdrloc.utils.errors import UsageError

# A kind that is not here is new: let `local_file` fetch or refuse it.
SCHEMES = {
    '',
    'http://',
    'https://',
    'mmcls://',
    'modelzoo://',
    'open-mmlab://',
    'openmmlab://',
    'pavi://',
    'torchvision://',
    r'(\S+\:)?petrel://',
    r'(\S+\:)?s3://',
}


@pytest.fixture(autouse=True)
def guarded(unguarded_files):
    guard_files()


@pytest.fixture
def marker(tmp_path):
    yield tmp_path / 'made'
    assert not (tmp_path / 'made').exists()


class Net(BaseModule):
    """A layer."""

    def __init__(self, init_cfg=None):
        super().__init__(init_cfg)
        self.fc = nn.Linear(2, 2)


def test_every_kind_of_address_has_the_one_loader():
    assert set(CheckpointLoader._schemes) == SCHEMES
    assert set(CheckpointLoader._schemes.values()) == {load_from_mmdrloc}


@pytest.mark.parametrize('write', CHECKPOINTS, ids=lambda w: w.__name__)
@pytest.mark.parametrize('name', ['a.pth', 'a.safetensors', 'a.txt'])
def test_hostile_checkpoint(tmp_path, marker, write, name):
    write(tmp_path / name, marker)
    with pytest.raises(UsageError, match=name):
        mmengine_load(Net(), str(tmp_path / name))


@pytest.mark.parametrize(
    'kind',
    [
        'Pretrained',
        'mmengine.Pretrained',
        'mmengine.model.PretrainedInit',
        'mmengine.model.weight_init.PretrainedInit',
        PretrainedInit,
    ],
    ids=str,
)
def test_hostile_checkpoint_of_an_init_cfg(tmp_path, marker, kind):
    zip_file(tmp_path / 'a.pth', marker)
    entry = dict(type=kind, checkpoint=str(tmp_path / 'a.pth'))
    for init_cfg in (
        entry,
        [dict(type='Constant', layer='Linear', val=0), entry],
    ):
        with pytest.raises(UsageError, match='--trust'):
            Net(init_cfg).init_weights()


def test_hostile_checkpoint_behind_an_address(tmp_path, marker, monkeypatch):
    monkeypatch.setattr(torch.hub, 'get_dir', lambda: str(tmp_path))
    fetched = []

    def fetch(address, path):
        fetched.append(address)
        zip_file(path, marker)

    monkeypatch.setattr('mmdrloc.checkpoints.reading.download.fetch', fetch)
    for address in (
        'https://example.org/a.pth',
        'http://example.org/a.pth?download=1',
        'torchvision://resnet50',
        'open-mmlab://resnet50_caffe',
        'mmcls://resnet50',
    ):
        with pytest.raises(UsageError, match='--trust'):
            mmengine_load(Net(), address)
    assert len(set(fetched)) == 5
    assert all(address.startswith('http') for address in fetched)


@pytest.mark.parametrize(
    'address', ['pavi://a', 's3://a/b.pth', 'ftp://a/b', 'mmcls://none']
)
def test_address_that_nobody_can_read(address):
    with pytest.raises(UsageError, match=f'^{address}'):
        local_file(address)


def test_same_name_at_two_addresses(tmp_path, monkeypatch):
    monkeypatch.setattr(torch.hub, 'get_dir', lambda: str(tmp_path))
    monkeypatch.setattr(
        'mmdrloc.checkpoints.reading.download.fetch',
        lambda address, path: path.write_text(address),
    )
    places = [local_file(f'https://{n}.org/model.pth') for n in 'ab']
    assert places[0] != places[1]


def test_program_in_the_meta_never_reaches_mmengine(tmp_path):
    meta = dict(epoch=1, config='import os', cfg='kept')
    weights = Net().state_dict()
    torch.save(dict(meta=meta, state_dict=weights), tmp_path / 'a.pth')
    checkpoint = CheckpointLoader.load_checkpoint(str(tmp_path / 'a.pth'))
    assert checkpoint['meta'] == dict(epoch=1, cfg='kept')


def test_bare_weights_come_as_state_dict(tmp_path):
    torch.save(Net().state_dict(), tmp_path / 'a.pth')
    checkpoint = CheckpointLoader.load_checkpoint(str(tmp_path / 'a.pth'))
    assert set(checkpoint['state_dict']) == {'fc.weight', 'fc.bias'}


@pytest.mark.parametrize('suffix', ['pkl', 'pickle'])
@pytest.mark.parametrize('protocol', [0, 2, 5])
def test_hostile_annotations(tmp_path, marker, suffix, protocol):
    path = tmp_path / f'a.{suffix}'
    path.write_bytes(pickle.dumps([Hostile(marker)], protocol=protocol))
    with pytest.raises(UsageError, match='more than plain values.*--trust'):
        mmengine.load(str(path))
    with pytest.raises(UsageError), open(path, 'rb') as file:
        mmengine.load(file, file_format='pkl')


def test_annotations_are_read_as_they_were_written(tmp_path):
    content = dict(
        boxes=np.arange(8, dtype=np.float32).reshape(2, 4).T,
        count=np.int64(3),
        names=np.array(['a', 'bc']),
        segmentation=dict(size=[3, 4], counts=b'\x00\xffabc'),
        ignored={1, 2},
        score=0.5,
        tree=(None, True, [complex(1, 2)]),
    )
    for protocol in range(6):
        (tmp_path / 'a.pkl').write_bytes(pickle.dumps(content, protocol))
        read = mmengine.load(str(tmp_path / 'a.pkl'))
        assert np.array_equal(read.pop('boxes'), content['boxes'])
        assert np.array_equal(read.pop('names'), content['names'])
        assert read == {k: content[k] for k in read}


@pytest.mark.parametrize(
    'kind', [object, [('a', 'O')], [('a', 'f4')]], ids=str
)
def test_arrays_of_objects_are_refused(tmp_path, kind):
    (tmp_path / 'a.pkl').write_bytes(pickle.dumps(np.empty(1, kind)))
    with pytest.raises(UsageError, match='numpy.dtype'):
        mmengine.load(str(tmp_path / 'a.pkl'))


@pytest.mark.parametrize('content', [b'', b'hello', b'\x80\x04K'])
def test_damaged_annotations(tmp_path, content):
    (tmp_path / 'a.pkl').write_bytes(content)
    with pytest.raises(UsageError, match='damaged or no pickle'):
        mmengine.load(str(tmp_path / 'a.pkl'))


@pytest.mark.parametrize('suffix', ['yaml', 'yml'])
def test_hostile_yaml(tmp_path, marker, suffix):
    path = tmp_path / f'a.{suffix}'
    path.write_text(f'a: !!python/object/apply:os.mkdir ["{marker}"]\n')
    with pytest.raises(ValueError, match='no plain YAML'):
        mmengine.load(str(path))
    path.write_text('a: [1, 2.5, b]\n')
    assert mmengine.load(str(path)) == dict(a=[1, 2.5, 'b'])


def test_hostile_array(tmp_path, marker):
    objects = np.array([Hostile(marker)], dtype=object)
    with io.BytesIO() as file:
        np.save(file, objects, allow_pickle=True)
        content = file.getvalue()
    (tmp_path / 'a.npy').write_bytes(content)
    with pytest.raises(ValueError):
        np.load(tmp_path / 'a.npy', allow_pickle=True)
    np.save(tmp_path / 'b.npy', np.arange(3))
    assert np.load(tmp_path / 'b.npy', allow_pickle=True).sum() == 3


def test_other_callers_of_torch(tmp_path, marker):
    zip_file(tmp_path / 'a.pth', marker)
    with pytest.raises(pickle.UnpicklingError):
        torch.load(tmp_path / 'a.pth', weights_only=False)


def test_trust_is_honoured_everywhere(tmp_path):
    made = [tmp_path / f'made{number}' for number in range(4)]

    def write(path, marker):
        weights = {'state_dict': Net().state_dict(), 'x': Hostile(marker)}
        torch.save(weights, path)

    write(tmp_path / 'a.pth', made[0])
    write(tmp_path / 'b.pth', made[1])
    trust_files(True)
    assert mmengine_load(Net(), str(tmp_path / 'a.pth'))
    torch.load(tmp_path / 'b.pth', weights_only=False)
    (tmp_path / 'a.pkl').write_bytes(pickle.dumps(Hostile(made[2])))
    mmengine.load(str(tmp_path / 'a.pkl'))
    array = np.array([Hostile(made[3])], dtype=object)
    np.save(tmp_path / 'a.npy', array, allow_pickle=True)
    np.load(tmp_path / 'a.npy', allow_pickle=True)
    assert all(map(os.path.exists, made))
