"""Write a trained model as a folder that others open, as the Hub has it."""

from pathlib import Path
from typing import List, Optional

from mmengine.config import Config

from mmdrloc.checkpoints.saved import PUBLISHED
from mmdrloc.checkpoints.write import write_checkpoint
from mmdrloc.utils.errors import UsageError, mention
from mmdrloc.utils.files import atomic_folder
from mmdrloc.utils.paths import Place
from .card import model_card
from .plain import load_plain

CONFIG, CARD = 'config.py', 'README.md'
# The same for the libraries' own tools, which read no safetensors.
PICKLED = 'model.pth'


def write_folder(
    cfg: Config,
    checkpoint: Place,
    folder: Place,
    timm: Optional[str] = None,
) -> List[Path]:
    """Write a trained model as a folder for others.

    The weights are the averaged ones if the checkpoint has them. The card
    tells what the ``result.json`` beside the checkpoint says. With ``timm``,
    timm's name of the network, ``folder/timm`` is a copy for timm; where none
    can be made, a note says why.

    Returns:
        list[Path]: The files.

    Raises:
        UsageError: If the folder holds something, the checkpoint cannot be
            read or is another model's.
    """
    folder = Path(folder)
    with atomic_folder(folder) as temporary:
        plain = load_plain(cfg, checkpoint)
        content = dict(
            meta=dict(dataset_meta=plain.cfg.dataset_meta.to_dict()),
            state_dict=dict(plain.model.state_dict()),
        )
        (temporary / CONFIG).write_text(plain.cfg.pretty_text, 'utf-8')
        for name in (PUBLISHED, PICKLED):
            write_checkpoint(content, temporary / name)
        if timm is not None:
            # It takes seconds to import.
            from .timm_copy import write_timm

            try:
                write_timm(plain.model, plain.cfg, timm, temporary / 'timm')
            except UsageError as error:
                mention(f'published without a copy for timm: {error}.')
                timm = None
        page = model_card(folder.name, plain, timm)
        (temporary / CARD).write_text(page, 'utf-8')
        files = [p.relative_to(temporary) for p in temporary.rglob('*.*')]
    return [folder / file for file in sorted(files)]
