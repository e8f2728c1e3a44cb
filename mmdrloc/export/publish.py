"""A trained model as a folder that others open, in the shape of the Hub."""

from copy import deepcopy
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

from mmengine.config import Config

from mmdrloc.checkpoints.reading import load_checkpoint, weights_of
from mmdrloc.checkpoints.write import write_checkpoint
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_folder
from .card import model_card
from .plain import Kind, kind_of, load_plain

CONFIG, WEIGHTS, CARD = 'config.py', 'model.safetensors', 'README.md'
# The same for the libraries' own tools, which read no safetensors.
PICKLED = 'model.pth'
# Steps of a test that an image on its own has no use for.
TRUTH = 'LoadAnnotations'


def publish(
    cfg: Config,
    checkpoint: Union[str, Path],
    folder: Union[str, Path],
    license: Optional[str] = None,
    timm: Optional[str] = None,
) -> List[Path]:
    """Write a trained model for others.

    The optimizer, the state of hooks and schedulers and the DRLoc head stay
    behind; averaged weights are taken where there are any. The names of the
    classes go along, and what the ``result.json`` beside the checkpoint says
    of the training.

    Args:
        cfg (Config): The config of the training.
        checkpoint (str | Path): A checkpoint of that training.
        folder (str | Path): The folder to make.
        license (str, optional): Under which the model may be used, as the
            Hub names it, such as 'apache-2.0'.
        timm (str, optional): The name that timm has for the network; then
            there is a copy in the folder ``timm`` that it loads.

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
    weights = weights_of(loaded, checkpoint)
    plain, model = load_plain(cfg, weights, checkpoint)
    kind = kind_of(model, cfg)
    meta = loaded.get('meta', {})
    published = published_config(cfg, plain, kind, meta)
    # What it computes by itself too. Some heads of mmdet share tensors, which
    # safetensors does not.
    tensors = {n: t.clone() for n, t in model.state_dict().items()}
    with atomic_folder(folder) as temporary:
        (temporary / CONFIG).write_text(
            published.pretty_text, encoding='utf-8'
        )
        names = published.dataset_meta.to_dict()
        for name in (WEIGHTS, PICKLED):
            write_checkpoint(
                dict(meta=dict(dataset_meta=names), state_dict=tensors),
                temporary / name,
            )
        if timm is not None:
            # It takes seconds to import.
            from .timm_copy import write_timm

            write_timm(model, published, timm, temporary / 'timm')
        (temporary / CARD).write_text(
            model_card(
                folder.name,
                published,
                kind,
                Path(checkpoint),
                meta,
                license,
                timm,
            ),
            encoding='utf-8',
        )
        files = [p.relative_to(temporary) for p in temporary.rglob('*.*')]
    return [folder / file for file in sorted(files)]


def published_files(folder: Union[str, Path]) -> Tuple[Path, Path]:
    """What a published folder holds, for whatever takes a config and weights.

    The weights are data; the config is a program, as all of MMEngine's are.

    Args:
        folder (str | Path): As :func:`publish` wrote it.

    Returns:
        tuple[Path, Path]: The config and the weights.

    Raises:
        UsageError: If one of them is missing.
    """
    config, weights = Path(folder, CONFIG), Path(folder, WEIGHTS)
    for path in (config, weights):
        if not path.is_file():
            raise UsageError(
                f'{folder} is no run and no published model: {path.name} '
                'should be in it, as tools/publish.py writes it.'
            )
    return config, weights


def published_config(
    cfg: Config, model: Dict[str, Any], kind: Kind, meta: Dict[str, Any]
) -> Config:
    """What a library needs for one image, and nothing of this machine.

    Model, classes and the steps of a test, in a data set without files.
    """
    dataset = (cfg.get('test_dataloader') or {}).get('dataset') or {}
    steps = dataset.get('pipeline')
    if not steps:
        raise UsageError(
            f'{cfg.filename} has no test_dataloader.dataset.pipeline, '
            'which says how an image is prepared: give the config of the '
            'training.'
        )
    model = deepcopy(model)
    if kind.library == 'mmpretrain':
        model.pop('train_cfg', None)  # Mixup and its like
    described = meta.get('dataset_meta') or dataset.get('metainfo') or {}
    names = {k: described[k] for k in ('classes', 'palette') if k in described}
    pipeline = [deepcopy(step) for step in steps]
    pipeline = [p for p in pipeline if not p['type'].endswith(TRUTH)]
    if pipeline[0]['type'] == 'mmdrloc.LoadImage':
        pipeline[0] = dict(type='LoadImageFromFile')
    # Where types of the user's own are.
    own = {key: cfg[key] for key in ('custom_imports',) if key in cfg}
    return Config(
        dict(
            **own,
            default_scope=kind.library,
            dataset_meta=names,
            model=model,
            test_pipeline=pipeline,
            test_dataloader=dict(
                batch_size=1,
                dataset=dict(
                    type=kind.dataset, metainfo=names, pipeline=pipeline
                ),
            ),
            visualizer=dict(type=kind.visualizer, name='visualizer'),
        )
    )
