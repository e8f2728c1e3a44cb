"""Child registries of MMEngine's, scope ``mmdrloc``.

``type='mmdrloc.X'`` finds a class without ``custom_imports``: MMEngine
imports this module by the name of the scope, and the registry then imports
its ``locations`` when it is first asked.
"""

from importlib import import_module
from typing import Any, Dict, Optional, Type

from mmengine.registry import DATASETS as MMENGINE_DATASETS
from mmengine.registry import HOOKS as MMENGINE_HOOKS
from mmengine.registry import METRICS as MMENGINE_METRICS
from mmengine.registry import MODELS as MMENGINE_MODELS
from mmengine.registry import (
    OPTIM_WRAPPER_CONSTRUCTORS as MMENGINE_OPTIM_WRAPPER_CONSTRUCTORS,
)
from mmengine.registry import OPTIM_WRAPPERS as MMENGINE_OPTIM_WRAPPERS
from mmengine.registry import PARAM_SCHEDULERS as MMENGINE_PARAM_SCHEDULERS
from mmengine.registry import STRATEGIES as MMENGINE_STRATEGIES
from mmengine.registry import TRANSFORMS as MMENGINE_TRANSFORMS
from mmengine.registry import Registry

from .errors import UsageError


class OnDemandRegistry(Registry):
    """Imports some modules only when a class of theirs is asked for.

    They need a library that a machine for other tasks lacks, or has without
    the compiled operators.

    Args:
        *args: As in ``Registry``.
        on_demand (dict[str, str]): Names of classes to their modules.
        **kwargs: As in ``Registry``.
    """

    def __init__(
        self, *args: Any, on_demand: Dict[str, str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._on_demand = on_demand

    def get(self, key: str) -> Optional[Type]:
        """Find a class; see :meth:`Registry.get`.

        Raises:
            UsageError: If the class's library cannot be imported.
        """
        module = self._on_demand.get(key.rpartition('.')[2])
        if module is not None:
            try:
                import_module(module)
            # An assertion is how mmdet and mmseg refuse a version of mmcv.
            except (ImportError, AssertionError) as error:
                raise UsageError(
                    f'{key} cannot be had here: {error}. It needs mmdet and '
                    'mmsegmentation beside an mmcv with compiled operators: '
                    '`python -m mmdrloc.doctor` names the command that '
                    'mends it.'
                ) from error
        return super().get(key)


MODELS = OnDemandRegistry(
    'model',
    parent=MMENGINE_MODELS,
    scope='mmdrloc',
    locations=['mmdrloc.models'],
    on_demand=dict(
        DRLocCascadeRCNN='mmdrloc.models.detectors',
        DRLocEncoderDecoder='mmdrloc.models.segmentors',
        DRLocMaskRCNN='mmdrloc.models.detectors',
    ),
)

HOOKS = Registry(
    'hook',
    parent=MMENGINE_HOOKS,
    scope='mmdrloc',
    locations=['mmdrloc.engine'],
)

METRICS = Registry(
    'metric',
    parent=MMENGINE_METRICS,
    scope='mmdrloc',
    locations=['mmdrloc.evaluation'],
)

OPTIM_WRAPPERS = Registry(
    'optimizer wrapper',
    parent=MMENGINE_OPTIM_WRAPPERS,
    scope='mmdrloc',
    locations=['mmdrloc.engine'],
)

OPTIM_WRAPPER_CONSTRUCTORS = Registry(
    'optimizer wrapper constructor',
    parent=MMENGINE_OPTIM_WRAPPER_CONSTRUCTORS,
    scope='mmdrloc',
    locations=['mmdrloc.engine'],
)

PARAM_SCHEDULERS = Registry(
    'parameter scheduler',
    parent=MMENGINE_PARAM_SCHEDULERS,
    scope='mmdrloc',
    locations=['mmdrloc.engine'],
)

STRATEGIES = Registry(
    'strategy',
    parent=MMENGINE_STRATEGIES,
    scope='mmdrloc',
    locations=['mmdrloc.engine'],
)

# Module by module: the package itself also holds what needs no mmpretrain,
# whose import takes seconds.
DATASETS = OnDemandRegistry(
    'dataset',
    parent=MMENGINE_DATASETS,
    scope='mmdrloc',
    locations=[
        'mmdrloc.datasets.class_folders',
        'mmdrloc.datasets.domainnet',
        'mmdrloc.datasets.folder_sample',
        'mmdrloc.datasets.imagenet100',
        'mmdrloc.datasets.indoor67',
        'mmdrloc.datasets.svhn',
    ],
    on_demand=dict(RenumberedSegDataset='mmdrloc.datasets.renumbered'),
)

TRANSFORMS = Registry(
    'transform',
    parent=MMENGINE_TRANSFORMS,
    scope='mmdrloc',
    locations=[
        'mmdrloc.datasets.faster_augment',
        'mmdrloc.datasets.level_rand_augment',
        'mmdrloc.datasets.loading',
    ],
)
