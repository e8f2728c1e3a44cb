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
    """Write a folder for use without mmdrloc; what ``tools/publish.py`` does.

    Args:
        config (str | Path): The config of the training.
        checkpoint (str | Path): A checkpoint of it.
        folder (str | Path): The folder to make.
        timm (str, optional): The name that timm has for the network.
        trust (bool): Whether to let files run the code that they contain.
            Defaults to False.

    Returns:
        list[Path]: The files; see :func:`mmdrloc.export.publish`.
    """
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
    """Export a classifier to ONNX; what ``tools/export_onnx.py`` does.

    Args:
        config (str | Path): The config of the training.
        checkpoint (str | Path): A checkpoint of it.
        out (str | Path): The file to write.
        size (Sequence[int], optional): Height and width of the images.
            Defaults to those of the test.
        trust (bool): Whether to let files run the code that they contain.
            Defaults to False.

    Returns:
        float: Greatest difference between the logits of both models.
    """
    with session(trust):
        return formats.export_onnx(
            read_config(config),
            checkpoint,
            out,
            (size[0], size[1]) if size else None,
        )
