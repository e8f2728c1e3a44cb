"""A classification checkpoint into a file that holds the backbone alone."""

from pathlib import Path
from typing import Any, Dict, Tuple, Union

import torch

from mmdrloc.errors import UsageError
from mmdrloc.files import atomic_path
from mmdrloc.version import __version__
from .audit import Audit
from .checkpoint import load_checkpoint, weights_of

PREFIX = 'backbone.'


def extract_backbone(
    path: Union[str, Path], trust: bool = False
) -> Tuple[Dict[str, Any], Audit]:
    """Take the backbone out of a checkpoint of mmpretrain or mmdrloc.

    Args:
        path (str | Path): The checkpoint.
        trust (bool): See :func:`load_checkpoint`. Defaults to False.

    Returns:
        Tuple[Dict[str, Any], Audit]: A checkpoint of plain values and
        ``backbone.*`` tensors, and what was kept and dropped.

    Raises:
        UsageError: If the checkpoint cannot be read, or has no tensor whose
            name begins with ``backbone.``.
    """
    checkpoint = load_checkpoint(path, trust)
    weights = weights_of(checkpoint, path)
    backbone = {
        name: tensor
        for name, tensor in weights.items()
        if name.startswith(PREFIX)
    }
    if not backbone:
        raise UsageError(
            f'{path} holds no {PREFIX}* tensors (it begins with '
            f'{next(iter(weights))}): give a checkpoint that tools/train.py '
            'or mmpretrain wrote.'
        )
    audit = Audit(
        loaded=list(backbone),
        dropped=[name for name in weights if name not in backbone]
        + [f'ema_state_dict.{name}' for name in _raw_weights(checkpoint)],
    )
    meta = _plain_meta(checkpoint)
    meta.update(source=str(path), mmdrloc_version=__version__)
    return dict(meta=meta, state_dict=backbone), audit


def write_checkpoint(
    checkpoint: Dict[str, Any], path: Union[str, Path]
) -> None:
    """Write a checkpoint atomically.

    Args:
        checkpoint (Dict[str, Any]): Tensors and plain values.
        path (str | Path): The file to write or replace.
    """
    with atomic_path(path) as temporary:
        torch.save(checkpoint, temporary)


def _raw_weights(checkpoint: dict) -> Dict[str, Any]:
    """The weights before averaging: ``EMAHook`` saves them apart."""
    return checkpoint.get('ema_state_dict', {})


def _plain_meta(checkpoint: dict) -> Dict[str, Any]:
    """What the source says of itself, as far as it is plain values."""
    meta = {
        name: value
        for name, value in checkpoint.get('meta', {}).items()
        if name in ('epoch', 'iter', 'seed', 'experiment_name')
        and isinstance(value, (int, str))
    }
    meta['averaged'] = 'ema_state_dict' in checkpoint
    return meta
