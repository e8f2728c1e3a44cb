"""Convert checkpoints between the formats of known origins."""

from pathlib import Path
from typing import Any, Dict, Optional, Tuple, Union

from torch import Tensor

from mmdrloc.utils.errors import UsageError
from mmdrloc.version import __version__
from .audit import Audit
from .load import PREFIX
from .origins import ORIGINS, Origin, detect_origin
from .reading import load_checkpoint, weights_of


def convert_checkpoint(
    path: Union[str, Path], origin: Optional[str] = None
) -> Tuple[Dict[str, Any], Audit]:
    """Read a checkpoint and give its tensors our names.

    Args:
        path (str | Path): The checkpoint.
        origin (str, optional): Name of the format; by default it is told by
            the names of the tensors.

    Returns:
        Tuple[Dict[str, Any], Audit]: A checkpoint of plain values and the
        tensors of our classifier, and what came and what was left behind.

    Raises:
        UsageError: If the checkpoint cannot be read, is of no known origin,
            or holds tensors that its origin does not know.
    """
    checkpoint = load_checkpoint(path)
    weights = weights_of(checkpoint, path)
    source = _named_origin(origin) if origin else _told_origin(weights, path)
    converted = source.to_ours(weights)
    if converted.unknown:
        raise UsageError(
            f'{path} looks like {source.title}, but {len(converted.unknown)} '
            f'of its {len(weights)} tensors do not belong to it: '
            f'{", ".join(converted.unknown[:5])}.'
        )
    # The weights before averaging: EMAHook saves them apart.
    raw = [f'ema_state_dict.{n}' for n in checkpoint.get('ema_state_dict', ())]
    audit = Audit(
        loaded=list(converted.weights), dropped=converted.derived + raw
    )
    meta = _plain_meta(checkpoint)
    meta.update(
        source=str(path), origin=source.name, mmdrloc_version=__version__
    )
    return dict(meta=meta, state_dict=converted.weights), audit


def extract_backbone(
    checkpoint: Dict[str, Any], audit: Audit
) -> Tuple[Dict[str, Any], Audit]:
    """Keep the ``backbone.*`` tensors of a converted checkpoint.

    Args:
        checkpoint (Dict[str, Any]): From :func:`convert_checkpoint`.
        audit (Audit): Its audit; the one that is returned says the rest.

    Raises:
        UsageError: If there are none.
    """
    weights = checkpoint['state_dict']
    backbone = {n: t for n, t in weights.items() if n.startswith(PREFIX)}
    if not backbone:
        raise UsageError(
            f'{checkpoint["meta"]["source"]} holds no tensor of a backbone: '
            'give the checkpoint of a whole network, or another --origin.'
        )
    others = [name for name in weights if name not in backbone]
    dropped = Audit(loaded=list(backbone), dropped=others + audit.dropped)
    return dict(checkpoint, state_dict=backbone), dropped


def to_origin(
    weights: Dict[str, Tensor], name: str
) -> Tuple[Dict[str, Tensor], Audit]:
    """Give the tensors of our classifier the names of another format.

    What it has no place for is dropped.

    Raises:
        UsageError: If there is no such format, or nothing fits it.
    """
    converted = _named_origin(name).to_theirs(weights)
    if not ORIGINS[name].recognises(converted.weights):
        raise UsageError(
            f'the checkpoint is not of a {ORIGINS[name].network}: it cannot '
            f'be written as {name}.'
        )
    return converted.weights, Audit(
        loaded=list(converted.weights),
        dropped=converted.derived + converted.unknown,
    )


def _told_origin(weights: Dict[str, Tensor], path: Union[str, Path]) -> Origin:
    try:
        return detect_origin(weights)
    except UsageError as error:
        raise UsageError(f'{path}: {error}') from None


def _named_origin(name: str) -> Origin:
    if name not in ORIGINS:
        raise UsageError(
            f'there is no origin {name!r}; known are {", ".join(ORIGINS)}.'
        )
    return ORIGINS[name]


def _plain_meta(checkpoint: dict) -> Dict[str, Any]:
    """What the source says of itself, as far as it is plain values."""
    meta = {
        name: value
        for name, value in checkpoint.get('meta', {}).items()
        if name in ('epoch', 'iter', 'seed', 'experiment_name')
        and isinstance(value, (int, str))
    }
    meta['averaged'] = any(
        key in checkpoint
        for key in ('ema_state_dict', 'state_dict_ema', 'model_ema')
    )
    return meta
