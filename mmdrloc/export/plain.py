"""A trained model without what training alone needs."""

from copy import deepcopy
from pathlib import Path
from typing import Any, Dict, Optional, Tuple, Union

from mmengine.config import Config
from mmengine.model import revert_sync_batchnorm
from mmengine.registry import MODELS, init_default_scope
from torch import Tensor, nn

from mmdrloc.checkpoints.load import load_model
from mmdrloc.models.building import building_from
from mmdrloc.models.host import DRLocHost


def plain_model(cfg: Config) -> Tuple[Dict[str, Any], Optional[str]]:
    """The model of a config without its DRLoc head.

    Args:
        cfg (Config): The config of a training.

    Returns:
        tuple[dict, str | None]: With the library's own class as ``type``,
        without what is for training alone; and the key that the head had,
        if there was one.
    """
    init_default_scope(cfg.get('default_scope', 'mmengine'))
    model = deepcopy(cfg.model)
    if 'data_preprocessor' in cfg:
        model.setdefault('data_preprocessor', deepcopy(cfg.data_preprocessor))
    preprocessor = model.get('data_preprocessor') or {}
    if preprocessor.pop('steps', None) is not None:
        preprocessor.pop('type')  # mmdrloc's own, for its parent's
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
    for part in (model, *model.values()):
        if isinstance(part, dict):
            part.pop('init_cfg', None)
    return model, head_name


def load_plain(
    cfg: Config, weights: Dict[str, Tensor], source: Union[str, Path]
) -> Tuple[Dict[str, Any], nn.Module]:
    """Build a model without its DRLoc head, and load it.

    Args:
        cfg (Config): The config of the training.
        weights (dict[str, Tensor]): Of that training.
        source (str | Path): Where they come from, for the message.

    Returns:
        tuple[dict, nn.Module]: The config of the model, and the model in
        evaluation mode.

    Raises:
        UsageError: If the model cannot be built, or the weights are
            another's.
    """
    with building_from(cfg):
        plain, head_name = plain_model(cfg)
        # As mmengine does it for one process: SyncBN needs several.
        model = revert_sync_batchnorm(MODELS.build(deepcopy(plain)))
    kept = {
        name: tensor
        for name, tensor in weights.items()
        if head_name is None or not name.startswith(f'{head_name}.')
    }
    load_model(model, kept, source, is_training=False)
    return plain, model.eval()
