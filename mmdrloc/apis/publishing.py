"""Write a trained model for others: a folder, or an ONNX file."""

from pathlib import Path
from typing import List, Optional, Sequence, Union

from mmdrloc import export as formats
from mmdrloc.datasets.recipes import read_config
from .running import session

Place = Union[str, Path]


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
