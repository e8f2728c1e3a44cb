"""What cannot work is found before the first update, all of it at once.

Two moments: :func:`check_config` sees files and folders before anything is
built; :func:`check_runner` and :func:`check_resources` see the data sets and
the model, built.
"""

from .built import check_runner
from .config import check_config
from .findings import refuse
from .resources import check_resources

__all__ = ['check_config', 'check_resources', 'check_runner', 'refuse']
