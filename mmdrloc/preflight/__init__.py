"""What cannot work is found before the first update, all of it at once.

Four moments: :func:`check_config` sees settings, files and folders before
anything is built; :func:`building_explained` speaks where something cannot be
built; :func:`check_runner` and :func:`check_resources` see the data sets and
the model, built; :func:`check_steps` and :func:`check_saving` try them.
:func:`estimate_step_memory` reckons what the training will need.

In this package ``cfg`` is a whole config, ``phases`` are the loops that will
run ('train', 'val', 'test'), a ``place`` is a dict of the config and a
``source`` a data set of it. What a check gives is a list, with one sentence
for each finding.
"""

from .building import building_explained
from .built import check_runner
from .config import check_config
from .dry_run import check_steps
from .dry_save import check_saving
from .findings import refuse
from .resources import check_resources
from .step_memory import estimate_step_memory

__all__ = [
    'building_explained',
    'check_config',
    'check_resources',
    'check_runner',
    'check_saving',
    'check_steps',
    'estimate_step_memory',
    'refuse',
]
