"""Write trained weights for others: converted, in a folder, as ONNX."""

from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence, Union

from mmdrloc.checkpoints.audit import Audit
from mmdrloc.checkpoints.convert import convert
from mmdrloc.checkpoints.sources import SUFFIXES, find_checkpoint
from mmdrloc.checkpoints.write import write_checkpoint
from mmdrloc.datasets.recipes import read_config
from mmdrloc.export.onnx import export_onnx
from mmdrloc.export.publish import write_folder
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import Place
from .run import Run, config_and_checkpoint
from .running import session


class Transfer(NamedTuple):
    """What was written: file, former format, tensors; if they are averages.

    Printed, it says what became of each tensor.
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
    """Convert a checkpoint from one format to another.

    Args:
        checkpoint (str | Path): A file of any known origin, the folder of a
            run, or an address.
        out (str | Path): The file to write, ``.pth`` or ``.safetensors``.
        config (str | Path, optional): A config or recipe whose backbone the
            tensors must fit; positions are resized to it.
        with_head (bool): Whether to keep the heads. Defaults to False: the
            backbone alone.
        to (str, optional): The origin in whose format a whole classifier is
            written. Defaults to None: by our names.
        trust (bool): Whether the file may run code. Defaults to False.

    Returns:
        Transfer: What was written.

    Raises:
        UsageError: If the checkpoint would be overwritten, is not
            understood, or does not fit the config or the format.
    """
    out = Path(out).expanduser()
    if out.suffix not in SUFFIXES:
        raise UsageError(f'{out} must end with {" or ".join(SUFFIXES)}.')
    if out.resolve() == find_checkpoint(checkpoint).resolve():
        raise UsageError(
            f'{out} is the checkpoint itself: name another output file.'
        )
    with session(trust):
        content, audit = convert(
            checkpoint,
            read_config(config) if config else None,
            with_head=with_head,
            to=to,
        )
        meta = content['meta']
        if to:
            del content['meta']  # which other libraries do not know
        write_checkpoint(content, out)
    tensors = len(content['state_dict'])
    return Transfer(out, meta['origin'], tensors, audit, meta['averaged'])


def publish(
    model: Union[Place, Run],
    checkpoint: Optional[Place],
    folder: Place,
    *,
    timm: Optional[str] = None,
    trust: bool = False,
) -> List[Path]:
    """Write a trained model as a folder for others.

    It opens without this package, unless the backbone is ours.

    Args:
        model (str | Path | Run): A run, a published folder, or a config.
        checkpoint (str | Path, optional): None: that of the model.
        folder (str | Path): The folder to make.
        timm (str, optional): timm's name of the network, for a copy in
            ``folder/timm``. Defaults to None: no copy. Where none can be
            made, a note says why.
        trust (bool): Whether files may run code. Defaults to False.

    Returns:
        list[Path]: The files that were written.

    Raises:
        UsageError: If the folder holds something, or the checkpoint cannot
            be read or does not fit.
    """
    config, checkpoint = config_and_checkpoint(model, checkpoint)
    with session(trust):
        return write_folder(read_config(config), checkpoint, folder, timm)


def export(
    model: Union[Place, Run],
    checkpoint: Optional[Place],
    out: Place,
    *,
    size: Optional[Sequence[int]] = None,
    trust: bool = False,
) -> float:
    """Write a classifier as an ONNX file for one image of one size.

    Args:
        model (str | Path | Run): A run, a published folder, or a config.
        checkpoint (str | Path, optional): None: that of the model.
        out (str | Path): The file to write.
        size (Sequence[int], optional): (height, width) of the images in
            pixels. Defaults to None: that of the images of a test.
        trust (bool): Whether files may run code. Defaults to False.

    Returns:
        float: Greatest difference between the logits of the file and of the
        model, for one random image.

    Raises:
        UsageError: If onnx or onnxruntime is missing, the model is no
            classifier, cannot be exported or does not fit the checkpoint,
            the size is unknown, or the logits differ.
    """
    if Path(out).suffix != '.onnx':
        raise UsageError(f'{out} must end with .onnx.')
    config, checkpoint = config_and_checkpoint(model, checkpoint)
    with session(trust):
        return export_onnx(read_config(config), checkpoint, out, size)
