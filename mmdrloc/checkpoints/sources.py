"""Find the file of weights that is meant: a path, a run, an address, a name.

Names are those of the weights in ``configs/photos/weights`` and of
mmpretrain's zoo, whose metafiles have their addresses.
"""

import hashlib
import re
from functools import cache
from http.client import HTTPException
from pathlib import Path
from typing import Dict, Optional

import mmengine
import mmpretrain
import torch
from mmengine.runner.checkpoint import (
    get_external_models,
    get_torchvision_models,
)

from mmdrloc.utils.errors import UsageError, did_you_mean, first_line
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.paths import Place, shipped
from .reading import load_checkpoint
from .saved import PUBLISHED, last_checkpoint


def find_checkpoint(source: Place) -> Path:
    """Find a checkpoint on this machine; an address is fetched once.

    It is a file, the work directory of a run for its last complete checkpoint,
    a published folder, an address, ``https://`` or one of MMEngine's, like
    ``torchvision://resnet50``, ``photos-64px`` or ``photos-32px``, which
    come with the package, or a name of mmpretrain's zoo, like
    ``swin-tiny_16xb64_in1k``.

    Raises:
        UsageError: If there is none, or it cannot be fetched.
    """
    path = Path(source).expanduser()
    if path.is_dir():
        published = path / PUBLISHED
        last = published if published.is_file() else last_checkpoint(path)
        if last is None:
            raise UsageError(
                f'there is no checkpoint in the folder {path}: give another '
                'folder, or leave the option out.'
            )
        return last
    if path.exists():
        return path
    scheme, colon, name = str(source).partition('://')
    if scheme in ('http', 'https'):
        models = {name: str(source)}
    elif colon:
        models = ZOOS.get(scheme, dict)()
    elif path.suffix in SUFFIXES or len(path.parts) > 1:
        raise UsageError(
            f'there is no checkpoint {path}: correct the path, or train '
            'what makes it.'
        )
    else:
        models, name = _named_models(), str(source)
    address = models.get(name) or ''
    if Path(address).is_file():  # it comes with the package
        return Path(address)
    if not address.startswith('http'):
        raise UsageError(
            f'there is no checkpoint {source}, no file, no folder of a run '
            f'and no published model{did_you_mean(name, models)}'
        )
    # How the SHA-256 begins, if the name says so; others end with a date.
    checksum = re.search(r'-(?!20\d{6}\.)([0-9a-f]{8})\.pth$', address)
    return _fetched(address, checksum[1] if checksum else None)


SUFFIXES = ('.pth', '.pt', '.safetensors')
ZOOS = {
    'torchvision': get_torchvision_models,
    'open-mmlab': get_external_models,
    'openmmlab': get_external_models,
}


@cache
def _named_models() -> Dict[str, str]:
    """Addresses from the metafiles that mmpretrain brings, and our files."""
    folder = Path(mmpretrain.__file__).parent / '.mim'
    files = mmengine.load(folder / 'model-index.yml')['Import']
    models = (mmengine.load(folder / file).get('Models') for file in files)
    addresses = {
        model['Name']: model.get('Weights') or ''
        for listed in models
        for model in listed or ()
    }
    ours = shipped('configs').glob('photos/weights/*.safetensors')
    return addresses | {path.stem: str(path) for path in ours}


def _fetched(address: str, checksum: Optional[str]) -> Path:
    """Download what is not there yet; half a file never gets its name."""
    # A folder for each address: many files have the same name.
    digest = hashlib.sha256(address.encode()).hexdigest()[:16]
    bare = address.partition('?')[0].rsplit('/', 1)[-1]
    name = re.sub(r'[^\w.-]', '_', bare) or 'weights'
    path = Path(torch.hub.get_dir(), 'checkpoints', digest, name)
    if path.is_file():
        return path
    try:
        with atomic_path(path) as temporary:
            torch.hub.download_url_to_file(address, str(temporary), checksum)
            try:
                load_checkpoint(temporary)  # or it is a page in HTML
            except UsageError as error:
                if '--trust' not in str(error):
                    raise
    except (OSError, ValueError, RuntimeError, HTTPException) as error:
        raise UsageError(
            f'{address} cannot be fetched ({first_line(error)}): '
            'download it yourself and give the path.'
        ) from error
    return path
