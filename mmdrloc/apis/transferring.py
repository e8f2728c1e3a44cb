"""Carry weights out: converted, in a folder for others, as an ONNX file."""

from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence

from mmdrloc import export as formats
from mmdrloc.checkpoints.audit import Audit
from mmdrloc.checkpoints.convert import (
    convert_checkpoint,
    extract_backbone,
    fit_to_config,
    to_origin,
)
from mmdrloc.checkpoints.write import write_checkpoint
from mmdrloc.datasets.recipes import read_config
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import Place
from .running import session

SUFFIXES = ('.pth', '.pt', '.safetensors')


class Transfer(NamedTuple):
    """What was carried into which file; as a text, what became of it."""

    out: Path
    #: The format of what was read.
    origin: str
    #: In the file that was written.
    tensors: int
    #: What was kept and what was left behind.
    audit: Audit
    #: Whether the weights are averages (EMA).
    averaged: bool

    def __str__(self) -> str:
        """All of it in lines."""
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
    """Convert a backbone, or with its head or ``to`` a whole classifier.

    ``config`` is a recipe whose backbone is to fit.

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
    """Write a folder for others; see :func:`mmdrloc.export.publish`."""
    with session(trust):
        return formats.publish(read_config(config), checkpoint, folder, timm)


def export(
    config: Place,
    checkpoint: Place,
    out: Place,
    *,
    size: Optional[Sequence[int]] = None,
    trust: bool = False,
) -> float:
    """Export a classifier; see :func:`mmdrloc.export.export_onnx`."""
    with session(trust):
        return formats.export_onnx(read_config(config), checkpoint, out, size)
