"""Build the network of a config, as it is or as its library has it."""

from contextlib import contextmanager
from copy import deepcopy
from sys import modules
from typing import Any, Dict, Iterator

from mmengine.config import Config
from mmengine.model import revert_sync_batchnorm
from mmengine.registry import MODELS, init_default_scope
from torch import nn

from mmdrloc.utils.config_walk import class_of, imported_by
from mmdrloc.utils.errors import UsageError, cause, few
from .backbones.timm_backbone import TIMMBackbone as Timm
from .backbones.timm_backbone import in_mmpretrain
from .host import DRLocHost


@contextmanager
def building_from(cfg: Config) -> Iterator[None]:
    """Say in one ``UsageError`` why a part of a config cannot be built."""
    if not isinstance(cfg.get('model'), dict):
        raise UsageError(
            f'{cfg.filename} has no `model`: give the config of a network.'
        )
    try:
        yield
    except UsageError:
        raise
    except Exception as error:  # a class may be anyone's
        # A published config lets its modules be missing.
        missing = [name for name in imported_by(cfg) if name not in modules]
        remedy = f' Is the folder of {few(missing)} in PYTHONPATH?'
        raise UsageError(
            f'{cfg.filename} cannot be built: {cause(error)}.'
            + remedy * bool(missing)
        ) from error


def model_config(cfg: Config, plain: bool = False) -> Dict[str, Any]:
    """Copy the config of a model that starts from no file.

    The ``data_preprocessor`` becomes the model's, as MMEngine's Runner has
    it; ``plain`` leaves out the DRLoc head and what only training needs.
    """
    init_default_scope(cfg.get('default_scope', 'mmengine'))
    model = deepcopy(cfg.model)
    if cfg.get('data_preprocessor'):
        model.setdefault('data_preprocessor', deepcopy(cfg.data_preprocessor))
    for part in (model, *model.values()):
        if isinstance(part, dict):
            part.pop('init_cfg', None)
            part.pop('pretrained', None)
    if not plain:
        return model
    backbone = model.get('backbone')
    is_timm = isinstance(backbone, dict) and class_of(backbone, MODELS) is Timm
    # Operators of detectors need the layout of maps that ours puts out.
    bases = getattr(class_of(model, MODELS), '__mro__', ())
    if is_timm and 'BaseDetector' not in [base.__name__ for base in bases]:
        model['backbone'] = in_mmpretrain(backbone)
    return without_drloc(model)


def without_drloc(model: Dict[str, Any]) -> Dict[str, Any]:
    """The config of the library's own model, without the DRLoc head.

    Only that of a :class:`DRLocHost` is copied and changed.
    """
    kind = class_of(model, MODELS)
    if not (isinstance(kind, type) and issubclass(kind, DRLocHost)):
        return model
    host = next(b for b in kind.__mro__ if not issubclass(b, DRLocHost))
    library = host.__module__.partition('.')[0]
    model = deepcopy(model)
    model.pop(kind.head_name, None)
    model['type'] = f'{library}.{host.__name__}'
    return model


def build_model(cfg: Config, plain: bool = False) -> nn.Module:
    """Build the model of a config for one process, without weights.

    Raises:
        UsageError: If it cannot be built.
    """
    with building_from(cfg):
        # SyncBN needs several processes.
        return revert_sync_batchnorm(MODELS.build(model_config(cfg, plain)))
