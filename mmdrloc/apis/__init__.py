"""Everything that the command line does, as calls in Python.

Each call leaves the process as it was, so that any number of them, for any
task, follow one another in a notebook.
"""

from mmdrloc.utils.errors import import_errors_explained
from mmdrloc.utils.hush import hushed

with import_errors_explained(), hushed():
    from mmdrloc.datasets.recipe_list import Recipe, recipes
    from .comparison import Comparison, compare
    from .prediction import predict
    from .run import Run, load_runs, report
    from .testing import test
    from .training import train
    from .transferring import Transfer, transfer

__all__ = [
    'Comparison',
    'Recipe',
    'Run',
    'Transfer',
    'compare',
    'load_runs',
    'predict',
    'recipes',
    'report',
    'test',
    'train',
    'transfer',
]
