"""Leave in a checkpoint and in its config what predictions need."""

import hashlib
import os
from copy import deepcopy
from pathlib import Path
from typing import Dict, Optional, Tuple, Union

from mmengine.config import Config
from mmengine.model import revert_sync_batchnorm
from mmengine.registry import MODELS, init_default_scope
from torch import Tensor, nn

from mmdrloc.errors import UsageError
from mmdrloc.files import atomic_path
from mmdrloc.models.building import building_from
from mmdrloc.models.host import DRLocHost
from mmdrloc.reading import load_checkpoint, weights_of
from mmdrloc.transfer import fitting, write_checkpoint
from mmdrloc.version import __version__

# What a config keeps: enough for inferencers and for tools/test.py.
KEPT = (
    'custom_imports',
    'default_hooks',
    'default_scope',
    'env_cfg',
    'model',
    'test_cfg',
    'test_dataloader',
    'test_evaluator',
    'test_pipeline',
    'tta_model',
    'tta_pipeline',
    'visualizer',
)


def publish(
    cfg: Config,
    checkpoint: Union[str, Path],
    prefix: Union[str, Path],
) -> Tuple[Path, Path]:
    """Write a checkpoint and a config for others.

    The optimizer, the state of hooks and schedulers and the DRLoc head stay
    behind; averaged weights are taken where there are any. The names of the
    classes go along.

    Args:
        cfg (Config): The config of the training.
        checkpoint (str | Path): A checkpoint of that training.
        prefix (str | Path): What the names of both files begin with.

    Returns:
        tuple[Path, Path]: ``<prefix>.py`` and ``<prefix>-<hash>.pth``, with
        the first eight digits of the SHA-256 of its bytes.

    Raises:
        UsageError: If the checkpoint cannot be read or is another model's,
            or the config of the training would be replaced.
    """
    loaded = load_checkpoint(checkpoint)
    plain, _, weights = load_plain(
        cfg, weights_of(loaded, checkpoint), checkpoint
    )
    meta = dict(mmdrloc_version=__version__)
    classes = loaded.get('meta', {}).get('dataset_meta')
    if classes is not None:
        meta['dataset_meta'] = classes
    config_path = Path(f'{prefix}.py')
    if config_path.resolve() == Path(str(cfg.filename)).resolve():
        raise UsageError(
            f'{config_path} is the config of the training itself: give '
            'another prefix.'
        )
    with atomic_path(config_path) as temporary:
        temporary.write_text(plain.pretty_text)
    # No name that another checkpoint could have.
    draft = Path(f'{prefix}.draft-of-{os.getpid()}.pth')
    write_checkpoint(dict(meta=meta, state_dict=weights), draft)
    digest = hashlib.sha256(draft.read_bytes()).hexdigest()[:8]
    return config_path, draft.rename(f'{prefix}-{digest}.pth')


def plain_config(cfg: Config) -> Tuple[Config, Optional[str]]:
    """The config of the same model without its DRLoc head.

    Args:
        cfg (Config): The config of a training.

    Returns:
        tuple[Config, str | None]: With the library's own class in
        ``model.type``, without what is for training alone; and the key that
        the head had, if there was one.
    """
    init_default_scope(cfg.get('default_scope', 'mmengine'))
    kept = {key: deepcopy(cfg[key]) for key in KEPT if key in cfg}
    model = kept['model']
    if 'data_preprocessor' in cfg:
        model.setdefault('data_preprocessor', deepcopy(cfg.data_preprocessor))
    # As it is built: a name without a scope is the library's.
    with MODELS.switch_scope_and_registry(model.get('_scope_')) as registry:
        model_class = registry.get(model.type)
    head_name = None
    if issubclass(model_class, DRLocHost):
        head_name = model_class.head_name
        model.pop(head_name)
        library_class = model_class.__bases__[-1]
        library = library_class.__module__.partition('.')[0]
        model.type = f'{library}.{library_class.__name__}'
    for part in model.values():
        if isinstance(part, dict):
            part.pop('init_cfg', None)
    return Config(kept, filename=cfg.filename), head_name


def load_plain(
    cfg: Config, weights: Dict[str, Tensor], source: Union[str, Path]
) -> Tuple[Config, nn.Module, Dict[str, Tensor]]:
    """Build a model without its DRLoc head, and load it.

    Args:
        cfg (Config): The config of the training.
        weights (dict[str, Tensor]): Of that training.
        source (str | Path): Where they come from, for the message.

    Returns:
        tuple[Config, nn.Module, dict[str, Tensor]]: The plain config, the
        model in evaluation mode, and the weights that it has.

    Raises:
        UsageError: If the model cannot be built, or the weights are
            another's.
    """
    with building_from(cfg):
        plain, head_name = plain_config(cfg)
        # As mmengine does it for one process: SyncBN needs several.
        model = revert_sync_batchnorm(MODELS.build(deepcopy(plain.model)))
    kept = {
        name: tensor
        for name, tensor in weights.items()
        if head_name is None or not name.startswith(f'{head_name}.')
    }
    kept, _ = fitting(model, kept, source, is_training=False)
    model.load_state_dict(kept, strict=False)
    return plain, model.eval(), kept
