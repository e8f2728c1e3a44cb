"""Real photos, where the machine has them."""

import os
import tarfile
from pathlib import Path

import pytest


def open_pack(name):
    """Open a pack of photos, or skip the test that wants it."""
    folder = os.environ.get('MMDRLOC_DATA')
    if not folder:
        pytest.skip('MMDRLOC_DATA names no folder with photo packs')
    return tarfile.open(Path(folder) / f'{name}.tar.xz')


def unpack(name, folder):
    """Unpack a pack of photos, and give its folder."""
    with open_pack(name) as pack:
        pack.extractall(folder, filter='data')
    return folder / name
