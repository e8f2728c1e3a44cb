"""Find the file of weights that is meant: a path, a run or an address."""

import hashlib
import os
import re
from pathlib import Path
from typing import Callable, Dict, Union

import torch
from filelock import FileLock
from mmengine.runner.checkpoint import (
    get_deprecated_model_names,
    get_external_models,
    get_mmcls_models,
    get_torchvision_models,
)

from mmdrloc.utils.errors import UsageError, first_line
from .reading import load_checkpoint
from .saved import last_checkpoint


def find_checkpoint(source: Union[str, Path]) -> Path:
    """Find a checkpoint on this machine; an address is fetched once.

    Args:
        source (str | Path): A file, the work folder of a run for its last
            complete checkpoint, or an address: ``https://``, or one of
            MMEngine's, like ``torchvision://resnet50``.

    Returns:
        Path: The file, not read yet.

    Raises:
        UsageError: If there is none, or it cannot be fetched.
    """
    scheme, colon, name = str(source).partition('://')
    if colon:
        return _fetched(_web_address(str(source), scheme, name))
    path = Path(source).expanduser()
    if path.is_dir():
        last = last_checkpoint(path)
        if last is None:
            raise UsageError(f'the folder {path} holds no checkpoint.')
        return last
    if not path.exists():
        raise UsageError(
            f'there is no checkpoint {path}: correct the path, or train '
            'what makes it.'
        )
    return path


def _openmmlab_models() -> Dict[str, str]:
    models = get_external_models()
    for name, successor in get_deprecated_model_names().items():
        models[name] = models.get(successor, '')
    return models


ZOOS: Dict[str, Callable[[], Dict[str, str]]] = {
    'modelzoo': get_torchvision_models,
    'torchvision': get_torchvision_models,
    'open-mmlab': _openmmlab_models,
    'openmmlab': _openmmlab_models,
    'mmcls': get_mmcls_models,
}


def _web_address(source: str, scheme: str, name: str) -> str:
    if scheme in ('http', 'https'):
        return source
    if scheme not in ZOOS:
        raise UsageError(
            f'{source} is an address of a kind that is not read: download it '
            'yourself and give the path.'
        )
    address = ZOOS[scheme]().get(name, '')
    if not address.startswith('http'):
        raise UsageError(f'{source}: there is no such model.')
    return address


def _fetched(address: str) -> Path:
    # A folder for each address: many files have the same name.
    digest = hashlib.sha256(address.encode()).hexdigest()[:16]
    name = re.sub(r'[^\w.-]', '_', address.rsplit('/', 1)[-1]) or 'weights'
    path = Path(torch.hub.get_dir(), 'checkpoints', digest, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name('lock')):
        if path.is_file():
            return path
        part = path.with_name(f'{name}.part')
        try:
            torch.hub.download_url_to_file(address, str(part))
            load_checkpoint(part)  # or it ended early, or is a page in HTML
        except UsageError as error:
            if '--trust' not in str(error):
                part.unlink(missing_ok=True)
                raise UsageError(
                    f'{address} gives no complete checkpoint: repeat, or '
                    'download it yourself and give the path.'
                ) from error
        except (OSError, ValueError) as error:
            raise UsageError(
                f'{address} cannot be fetched ({first_line(error)}): '
                'download it yourself and give the path.'
            ) from error
        os.replace(part, path)
    return path
