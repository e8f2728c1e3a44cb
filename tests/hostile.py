"""Files that make a folder when somebody runs what they contain."""

import io
import os
import pickle
import tarfile
from pathlib import Path

import torch


class Hostile:
    """Makes a folder when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return os.makedirs, (str(self.path), 0o700, True)


def zip_file(path, marker):
    torch.save(dict(state_dict=Hostile(marker)), path)


def old_file(path, marker):
    torch.save(
        dict(state_dict=Hostile(marker)),
        path,
        _use_new_zipfile_serialization=False,
    )


def bare_pickle(path, marker):
    path.write_bytes(pickle.dumps(dict(state_dict=Hostile(marker))))


def text_pickle(path, marker):
    path.write_bytes(pickle.dumps(Hostile(marker), protocol=0))


def tar_file(path, marker):
    """The format of 2016, whose reader unpickles whatever it is told."""
    with tarfile.open(path, 'w:') as archive:
        for name in ('storages', 'tensors', 'pickle'):
            content = pickle.dumps(Hostile(marker))
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))


CHECKPOINTS = (
    zip_file,
    old_file,
    bare_pickle,
    text_pickle,
    tar_file,
)
