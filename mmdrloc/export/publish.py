"""A trained model as a folder that others open, in the shape of the Hub."""

from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

from mmengine.config import Config

from mmdrloc.checkpoints.reading import load_checkpoint
from mmdrloc.checkpoints.write import write_checkpoint
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_folder
from .card import model_card
from .plain import Kind, kind_of, load_plain, steps_of_test

CONFIG, WEIGHTS, CARD = 'config.py', 'model.safetensors', 'README.md'
# The same for the libraries' own tools, which read no safetensors.
PICKLED = 'model.pth'


def publish(
    cfg: Config,
    checkpoint: Union[str, Path],
    folder: Union[str, Path],
    timm: Optional[str] = None,
) -> List[Path]:
    """Write a trained model for others; see :func:`mmdrloc.apis.publish`.

    Returns:
        list[Path]: The files.

    Raises:
        UsageError: If the folder holds something, the checkpoint cannot be
            read or is another model's, or timm's network is another one.
    """
    folder = Path(folder)
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise UsageError(
            f'{folder} is there already: give another folder, or remove it.'
        )
    loaded = load_checkpoint(checkpoint)
    plain, model = load_plain(cfg, loaded, checkpoint)
    kind, meta = kind_of(model, cfg), loaded.get('meta', {})
    published = _published_config(cfg, plain, kind, meta)
    names = published.dataset_meta.to_dict()
    # What it computes by itself too. Some heads of mmdet share tensors, which
    # safetensors does not.
    tensors = {n: t.clone() for n, t in model.state_dict().items()}
    page = model_card(
        folder.name, published, kind, Path(checkpoint), meta.get('iter'), timm
    )
    with atomic_folder(folder) as temporary:
        (temporary / CONFIG).write_text(published.pretty_text, 'utf-8')
        (temporary / CARD).write_text(page, 'utf-8')
        content = dict(meta=dict(dataset_meta=names), state_dict=tensors)
        for name in (WEIGHTS, PICKLED):
            write_checkpoint(content, temporary / name)
        if timm is not None:
            # It takes seconds to import.
            from .timm_copy import write_timm

            write_timm(model, published, timm, temporary / 'timm')
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


def _published_config(
    cfg: Config, model: Dict[str, Any], kind: Kind, meta: Dict[str, Any]
) -> Config:
    """What a library needs for one image, and nothing of this machine."""
    steps = steps_of_test(cfg)
    if kind.library == 'mmpretrain':
        model.pop('train_cfg', None)  # Mixup and its like
    known = cfg.test_dataloader.dataset.get('metainfo') or {}
    known = meta.get('dataset_meta') or known
    names = {k: known[k] for k in ('classes', 'palette') if k in known}
    # Where types of the user's own are.
    own = {key: cfg[key] for key in ('custom_imports',) if key in cfg}
    dataset = dict(type=kind.dataset, metainfo=names, pipeline=steps)
    return Config(
        dict(
            **own,
            default_scope=kind.library,
            dataset_meta=names,
            model=model,
            test_pipeline=steps,
            test_dataloader=dict(batch_size=1, dataset=dataset),
            visualizer=dict(type=kind.visualizer, name='visualizer'),
        )
    )
