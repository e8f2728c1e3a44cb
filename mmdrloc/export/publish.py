"""A trained model as a folder that others open, in the shape of the Hub."""

from pathlib import Path
from typing import List, Optional, Tuple, Union

from mmengine.config import Config

from mmdrloc.checkpoints.write import write_checkpoint
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_folder
from .card import model_card
from .plain import load_plain

CONFIG, WEIGHTS, CARD = 'config.py', 'model.safetensors', 'README.md'
# The same for the libraries' own tools, which read no safetensors.
PICKLED = 'model.pth'


def publish(
    cfg: Config,
    checkpoint: Union[str, Path],
    folder: Union[str, Path],
    timm: Optional[str] = None,
) -> List[Path]:
    """Write a trained model as a folder for others; give the files.

    Averaged weights are taken where there are any. A ``result.json`` beside
    the checkpoint tells what was measured. ``timm`` is the name that timm
    has for the network; then there is a copy in ``folder/timm``.

    Raises:
        UsageError: If the folder holds something, the checkpoint cannot be
            read or is another model's, or timm's network is another one.
    """
    folder = Path(folder)
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise UsageError(
            f'{folder} is there already: give another folder, or remove it.'
        )
    plain = load_plain(cfg, checkpoint)
    content = dict(
        meta=dict(dataset_meta=plain.cfg.dataset_meta.to_dict()),
        # What it computes by itself too. Some heads of mmdet share tensors,
        # which safetensors does not.
        state_dict={n: t.clone() for n, t in plain.model.state_dict().items()},
    )
    page = model_card(folder.name, plain, Path(checkpoint), timm)
    with atomic_folder(folder) as temporary:
        (temporary / CONFIG).write_text(plain.cfg.pretty_text, 'utf-8')
        (temporary / CARD).write_text(page, 'utf-8')
        for name in (WEIGHTS, PICKLED):
            write_checkpoint(content, temporary / name)
        if timm is not None:
            # It takes seconds to import.
            from .timm_copy import write_timm

            write_timm(plain.model, plain.cfg, timm, temporary / 'timm')
        files = [p.relative_to(temporary) for p in temporary.rglob('*.*')]
    return [folder / file for file in sorted(files)]


def published_files(folder: Union[str, Path]) -> Tuple[Path, Path]:
    """Find config and weights in a published folder.

    Raises:
        UsageError: If one of them is missing.
    """
    files = Path(folder, CONFIG), Path(folder, WEIGHTS)
    for path in files:
        if not path.is_file():
            raise UsageError(
                f'{folder} is no run and no published model: {path.name} '
                'should be in it, as tools/publish.py writes it.'
            )
    return files
