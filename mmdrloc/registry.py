"""Child registries of MMEngine's, scope ``mmdrloc``.

``type='mmdrloc.X'`` finds a class without ``custom_imports``: MMEngine
imports this module by the name of the scope, and the registry then imports
its ``locations`` when it is first asked.
"""

from importlib import import_module
from typing import Any, Dict, Optional, Type

from mmengine import registry as mmengine_registry
from mmengine.registry import Registry

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.patches import find_mmseg_configs, import_mmpretrain_models


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
                    f'{key} is not available here: {error}. It needs mmdet '
                    'and mmsegmentation beside an mmcv with compiled '
                    'operators: `mmdrloc doctor` names the command that '
                    'installs them.'
                ) from error
        return super().get(key)


def _child(name: str, *locations: str, **on_demand: str) -> Registry:
    """A registry below the one of MMEngine's that has this name."""
    parent = getattr(mmengine_registry, name)
    return OnDemandRegistry(
        parent.name,
        on_demand=on_demand,
        parent=parent,
        scope='mmdrloc',
        locations=[f'mmdrloc.{location}' for location in locations],
    )


find_mmseg_configs()  # before a config inherits from them
import_mmpretrain_models()  # before anything here imports it
MODELS = _child(
    'MODELS',
    'models',
    DRLocCascadeRCNN='mmdrloc.models.detectors',
    DRLocEncoderDecoder='mmdrloc.models.segmentors',
    DRLocMaskRCNN='mmdrloc.models.detectors',
)
HOOKS = _child('HOOKS', 'engine')
METRICS = _child(
    'METRICS',
    'evaluation.reconstruction_loss',
    CocoMetric='mmdrloc.evaluation.coco_metric',
)
OPTIM_WRAPPERS = _child('OPTIM_WRAPPERS', 'engine')
OPTIM_WRAPPER_CONSTRUCTORS = _child('OPTIM_WRAPPER_CONSTRUCTORS', 'engine')
PARAM_SCHEDULERS = _child('PARAM_SCHEDULERS', 'engine')
# Module by module: the package itself also holds what needs no mmpretrain,
# whose import takes seconds.
DATASETS = _child(
    'DATASETS',
    'datasets.image_sets',
    RenumberedSegDataset='mmdrloc.datasets.renumbered',
)
TRANSFORMS = _child('TRANSFORMS', 'datasets.transforms')
