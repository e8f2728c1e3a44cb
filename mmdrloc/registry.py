"""Child registries of MMEngine's, scope ``mmdrloc``.

``type='mmdrloc.X'`` finds a class without ``custom_imports``: MMEngine
imports this module by the name of the scope, and the registry then imports
its ``locations`` when it is first asked.
"""

from mmengine.registry import DATASETS as MMENGINE_DATASETS
from mmengine.registry import HOOKS as MMENGINE_HOOKS
from mmengine.registry import MODELS as MMENGINE_MODELS
from mmengine.registry import OPTIM_WRAPPERS as MMENGINE_OPTIM_WRAPPERS
from mmengine.registry import PARAM_SCHEDULERS as MMENGINE_PARAM_SCHEDULERS
from mmengine.registry import TRANSFORMS as MMENGINE_TRANSFORMS
from mmengine.registry import Registry

MODELS = Registry(
    'model',
    parent=MMENGINE_MODELS,
    scope='mmdrloc',
    locations=['mmdrloc.models'],
)

HOOKS = Registry(
    'hook',
    parent=MMENGINE_HOOKS,
    scope='mmdrloc',
    locations=['mmdrloc.engine'],
)

OPTIM_WRAPPERS = Registry(
    'optimizer wrapper',
    parent=MMENGINE_OPTIM_WRAPPERS,
    scope='mmdrloc',
    locations=['mmdrloc.engine'],
)

PARAM_SCHEDULERS = Registry(
    'parameter scheduler',
    parent=MMENGINE_PARAM_SCHEDULERS,
    scope='mmdrloc',
    locations=['mmdrloc.engine'],
)

# Module by module: the package itself also holds what needs no mmpretrain,
# whose import takes seconds.
DATASETS = Registry(
    'dataset',
    parent=MMENGINE_DATASETS,
    scope='mmdrloc',
    locations=[
        'mmdrloc.datasets.domainnet',
        'mmdrloc.datasets.imagenet100',
        'mmdrloc.datasets.indoor67',
        'mmdrloc.datasets.svhn',
    ],
)

TRANSFORMS = Registry(
    'transform',
    parent=MMENGINE_TRANSFORMS,
    scope='mmdrloc',
    locations=['mmdrloc.datasets.loading'],
)
