"""The one way for every file that is read: as data, unless trusted."""

from mmdrloc.console.hush import hushed
from mmdrloc.errors import import_errors_explained

with import_errors_explained(), hushed():
    from .addresses import local_file
    from .checkpoint import (
        load_checkpoint,
        load_weights,
        refuse_bad_tensors,
        weights_of,
    )
    from .guard import files_guarded, guard_files
    from .trust import files_are_trusted, trust_files

__all__ = [
    'files_are_trusted',
    'files_guarded',
    'guard_files',
    'load_checkpoint',
    'load_weights',
    'local_file',
    'refuse_bad_tensors',
    'trust_files',
    'weights_of',
]
