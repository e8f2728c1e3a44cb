"""Tar files and an index that somebody changed: photos, or a sentence."""

import json
import tarfile

import pytest
from fuzzing import DEPTHS, fuzz, mutated
from hypothesis import strategies as st
from mmengine.fileio import get
from tiny_shards import photo, samples, write_shard, write_shards

from mmdrloc.datasets.tar_index import INDEX, path_in_shard, read_shards
from mmdrloc.utils.errors import UsageError

PHOTOS = [photo(number) for number in range(12)]


def photos_in(folder):
    """What can be read, None if a sentence says why nothing can."""
    try:
        return [
            get(path_in_shard(str(folder / name), shard, at))
            for name, shard in read_shards(folder, '*.tar').items()
            for at in range(len(shard.names))
        ]
    except UsageError as error:
        assert str(error).strip()
        return None


@DEPTHS
@pytest.mark.parametrize('kind', [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_files(depth, kind, tmp_path):
    files = {f'{"x" * 150}é/{name}': c for name, c in samples(0, 3).items()}
    path = write_shard(tmp_path / '0.tar', files, kind)
    whole = path.read_bytes()
    outcomes = []

    def check(blocks, end):
        content = bytearray(whole)
        for block, byte, value in blocks:
            content[block * 512 % len(content) + byte] = value
        path.write_bytes(content[:end])
        outcomes.append(photos_in(tmp_path))

    change = st.tuples(
        st.integers(0, 60),
        st.integers(0, 511),
        st.sampled_from([*b'\x00\xff0157xLx']),
    )
    ends = st.one_of(st.just(len(whole)), st.integers(0, len(whole)))
    fuzz(check, depth, 60, st.lists(change, min_size=1, max_size=3), ends)
    assert None in outcomes and any(outcomes)


@DEPTHS
def test_indexes(depth, tmp_path):
    folder = write_shards(tmp_path)
    read_shards(folder, '*.tar')
    whole = json.loads((folder / INDEX).read_text())
    outcomes = []

    def check(index):
        (folder / INDEX).write_text(json.dumps(index))
        outcomes.append(photos_in(folder))

    fuzz(check, depth, 60, mutated(whole, most=2))
    assert PHOTOS in outcomes
