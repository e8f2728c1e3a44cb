"""Weights behind an address: fetched as bytes, read like any other file."""

import hashlib
import os
import re
from pathlib import Path
from typing import Callable, Dict

import torch
from filelock import FileLock
from mmengine.fileio import get_file_backend
from mmengine.runner.checkpoint import (
    _get_mmengine_home,
    get_deprecated_model_names,
    get_external_models,
    get_mmcls_models,
    get_torchvision_models,
)

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path


def local_file(name: str) -> Path:
    """Where the bytes of a checkpoint are on this machine.

    Args:
        name (str): A path, or an address of a kind that MMEngine knows; what
            it names is fetched once and kept.

    Returns:
        Path: A file that nobody has read yet.

    Raises:
        UsageError: If the address is unknown or cannot be fetched.
    """
    name = str(name)
    scheme, colon, rest = name.partition('://')
    if not colon:
        return Path(name).expanduser()
    if scheme in ('http', 'https'):
        return _fetched(name)
    if scheme in ZOOS:
        models = ZOOS[scheme]()
        if rest not in models:
            raise UsageError(
                f'{name}: there is no such model, the address is known of '
                f'{len(models)} others: correct the name.'
            )
        return local_file(models[rest])
    if re.fullmatch(r'(\S+:)?(s3|petrel)', scheme):
        return _of_petrel(name)
    raise UsageError(
        f'{name} is an address of a kind that is not read: download it '
        'yourself and give the path.'
    )


def _models_of_openmmlab() -> Dict[str, str]:
    models = get_external_models()
    for name, successor in get_deprecated_model_names().items():
        if successor in models:
            models[name] = models[successor]
    # Users list files of their own beside the published addresses.
    home = _get_mmengine_home()
    return {
        name: place if '://' in place else os.path.join(home, place)
        for name, place in models.items()
    }


ZOOS: Dict[str, Callable[[], Dict[str, str]]] = {
    'modelzoo': get_torchvision_models,
    'torchvision': get_torchvision_models,
    'open-mmlab': _models_of_openmmlab,
    'openmmlab': _models_of_openmmlab,
    'mmcls': get_mmcls_models,
}


def _fetched(address: str) -> Path:
    # What it takes is slow to import.
    from .download import fetch

    path = _place_of(address)
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name('lock')):
        fetch(address, path)
    return path


def _of_petrel(address: str) -> Path:
    path = _place_of(address)
    try:
        backend = get_file_backend(
            address, backend_args=dict(backend='petrel')
        )
        content = backend.get(address)
    except Exception as error:  # whatever its client raises
        raise UsageError(
            f'{address} cannot be fetched ({error}): download it yourself '
            'and give the path.'
        ) from error
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)
    return path


def _place_of(address: str) -> Path:
    """A folder for each address: many files have the same name."""
    digest = hashlib.sha256(address.encode()).hexdigest()[:16]
    file = re.sub(r'[^\w.-]', '_', address.rsplit('/', 1)[-1]) or 'weights'
    return Path(torch.hub.get_dir(), 'checkpoints', digest, file)
