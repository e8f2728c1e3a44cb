"""Write trained weights for others: converted, in a folder, as ONNX."""

from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence

from mmdrloc.checkpoints.audit import Audit
from mmdrloc.checkpoints.convert import (
    convert_checkpoint,
    extract_backbone,
    fit_to_config,
    to_origin,
)
from mmdrloc.checkpoints.write import write_checkpoint
from mmdrloc.datasets.recipes import read_config
from mmdrloc.export.onnx import export_onnx
from mmdrloc.export.publish import publish as write_folder
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import Place
from .running import session

SUFFIXES = ('.pth', '.pt', '.safetensors')


class Transfer(NamedTuple):
    """What :func:`transfer` wrote; printed, what became of each tensor.

    ``origin`` is the format that was read, ``tensors`` the number that was
    written, ``averaged`` whether they are averages (EMA).
    """

    out: Path
    origin: str
    tensors: int
    audit: Audit
    averaged: bool

    def __str__(self) -> str:
        """The lines that a command prints."""
        averaged = ', the averaged ones (EMA),' if self.averaged else ''
        return (
            f'format {self.origin}\n{self.audit}.\n'
            f'{self.tensors} tensors{averaged} written to {self.out}'
        )


def transfer(
    checkpoint: Place,
    out: Place,
    *,
    config: Optional[Place] = None,
    with_head: bool = False,
    to: Optional[str] = None,
    trust: bool = False,
) -> Transfer:
    """Convert a backbone; with ``with_head`` or ``to`` a whole classifier.

    ``to`` is the origin whose format is written, ``config`` a recipe whose
    backbone must fit.

    Raises:
        UsageError: If the checkpoint would be overwritten, is not
            understood, or does not fit.
    """
    out = Path(out)
    if out.resolve() == Path(checkpoint).resolve():
        raise UsageError(
            f'{out} is the checkpoint itself: name another output file.'
        )
    if out.suffix not in SUFFIXES:
        raise UsageError(f'{out} must end with {" or ".join(SUFFIXES)}.')
    with session(trust):
        content, audit = convert_checkpoint(checkpoint)
        meta = content['meta']
        if to:
            weights, audit = to_origin(content['state_dict'], to)
            content = dict(state_dict=weights)
        elif not with_head:
            content, audit = extract_backbone(content, audit)
        if config:
            content, audit = fit_to_config(content, audit, read_config(config))
        write_checkpoint(content, out)
    tensors = len(content['state_dict'])
    return Transfer(out, meta['origin'], tensors, audit, meta['averaged'])


def publish(
    config: Place,
    checkpoint: Place,
    folder: Place,
    *,
    timm: Optional[str] = None,
    trust: bool = False,
) -> List[Path]:
    """Write a folder for others; see :mod:`mmdrloc.export.publish`."""
    with session(trust):
        return write_folder(read_config(config), checkpoint, folder, timm)


def export(
    config: Place,
    checkpoint: Place,
    out: Place,
    *,
    size: Optional[Sequence[int]] = None,
    trust: bool = False,
) -> float:
    """Export a classifier; see :mod:`mmdrloc.export.onnx`."""
    with session(trust):
        return export_onnx(read_config(config), checkpoint, out, size)
