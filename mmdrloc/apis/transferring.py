"""Convert a checkpoint of any known origin; take its backbone out."""

from pathlib import Path
from typing import NamedTuple, Optional, Union

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
from .running import session

SUFFIXES = ('.pth', '.pt', '.safetensors')
Place = Union[str, Path]


class Transfer(NamedTuple):
    """What was carried; as a text, what a user should know of it.

    Args:
        source (Path): What was read.
        out (Path): What was written.
        origin (str): The format of what was read.
        averaged (bool): Whether its weights are averages (EMA).
        tensors (int): Their number in the file that was written.
        audit (Audit): What was kept and what was left behind.
    """

    source: Path
    out: Path
    origin: str
    averaged: bool
    tensors: int
    audit: Audit

    def __str__(self) -> str:
        """All of it in lines."""
        lines = [f'{self.source}: format {self.origin}']
        lines.append(f'{self.audit}.')
        if self.averaged:
            lines.append('The weights are the averaged ones (EMA).')
        lines.append(f'{self.tensors} tensors written to {self.out}')
        return '\n'.join(lines)


def transfer(
    checkpoint: Place,
    out: Place,
    *,
    config: Optional[Place] = None,
    with_head: bool = False,
    to: Optional[str] = None,
    trust: bool = False,
) -> Transfer:
    """Convert a backbone from one format to another.

    Args:
        checkpoint (str | Path): Whoever made it.
        out (str | Path): The file to write, .pth or .safetensors.
        config (str | Path, optional): A config or recipe whose backbone is
            to fit.
        with_head (bool): Whether to keep the heads: a whole classifier.
            Defaults to False.
        to (str, optional): The origin in whose format to write the whole
            classifier.
        trust (bool): Whether to let the file run the code that it contains.
            Defaults to False.

    Returns:
        Transfer: What was carried.

    Raises:
        UsageError: If the checkpoint would be overwritten, is not
            understood, or does not fit.
    """
    checkpoint, out = Path(checkpoint), Path(out)
    if out.resolve() == checkpoint.resolve():
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
    return Transfer(
        checkpoint, out, meta['origin'], meta['averaged'], tensors, audit
    )
