"""Changed bytes: a checkpoint is whole, or refused; nothing in it runs."""

import pytest
import torch
from fuzzing import DEPTHS, fuzz
from hostile import CHECKPOINTS
from hypothesis import strategies as st
from safetensors.torch import save

from mmdrloc.checkpoints.reading import load_checkpoint, load_weights
from mmdrloc.utils.errors import UsageError

WEIGHTS = {'a.weight': torch.arange(40.0).view(5, 8), 'b': torch.ones(3)}
WORDS = (b'PK\x03\x04', b'PK\x05\x06', b'\x80\x02', b'cos\nmkdir\n', b'{"')


@st.composite
def edits(draw):
    """What is done to a file: at which part of it, and what."""
    return [
        (
            draw(st.sampled_from(['flip', 'cut', 'fill', 'insert', 'grow'])),
            draw(st.floats(0, 1, exclude_max=True)),
            draw(st.integers(0, 7)),
            draw(st.one_of(st.binary(max_size=9), st.sampled_from(WORDS))),
        )
        for _ in range(draw(st.integers(1, 4)))
    ]


def edited(content, changes):
    content = bytearray(content)
    for kind, part, bit, more in changes:
        at = int(part * len(content))
        if kind == 'flip' and content:
            content[at] ^= 1 << bit
        elif kind == 'cut':
            del content[at:]
        elif kind == 'fill':
            content[at : at + len(more)] = more
        elif kind == 'insert':
            content[at:at] = more
        else:
            content += more
    return bytes(content)


def read(path):
    """The tensors of a file, or None if it is refused."""
    try:
        return load_weights(path)
    except UsageError as error:
        assert str(path) in str(error)
        return None


def same(weights):
    return weights.keys() == WEIGHTS.keys() and all(
        tensor.equal(WEIGHTS[name]) for name, tensor in weights.items()
    )


@DEPTHS
def test_an_archive_is_whole_or_refused(depth, tmp_path):
    """It has checksums."""
    path = tmp_path / 'a.pth'
    torch.save(dict(state_dict=WEIGHTS, meta=dict(epoch=1)), path)
    whole = path.read_bytes()
    refused = []

    def check(changes):
        path.write_bytes(edited(whole, changes))
        weights = read(path)
        assert weights is None or same(weights)
        refused.append(weights is None)

    fuzz(check, depth, 300, edits())
    assert any(refused)


@DEPTHS
@pytest.mark.parametrize('form', ['safetensors', 'old'])
def test_a_file_without_checksums_gives_tensors_or_is_refused(
    depth, tmp_path, form
):
    path = tmp_path / 'a.pth'
    if form == 'old':
        torch.save(WEIGHTS, path, _use_new_zipfile_serialization=False)
        whole = path.read_bytes()
    else:
        whole = save(WEIGHTS)

    def check(changes):
        path.write_bytes(edited(whole, changes))
        weights = read(path)
        assert weights is None or all(
            isinstance(name, str) and isinstance(tensor, torch.Tensor)
            for name, tensor in weights.items()
        )

    fuzz(check, depth, 300, edits())


@DEPTHS
@pytest.mark.parametrize('write', CHECKPOINTS, ids=lambda w: w.__name__)
def test_hostile_files_never_run(depth, tmp_path, write):
    path, marker = tmp_path / 'a.pth', tmp_path / 'made'
    write(path, marker)
    whole = path.read_bytes()

    def check(changes):
        path.write_bytes(edited(whole, changes))
        try:
            load_checkpoint(path)
        except UsageError:
            pass
        assert not marker.exists()

    fuzz(check, depth, 60, edits())
