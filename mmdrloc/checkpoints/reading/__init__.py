"""The one way for every file that is read: as data, unless trusted."""

from .addresses import local_file
from .checkpoint import (
    keep_checkpoint,
    load_checkpoint,
    load_checkpoint_once,
    load_weights,
    refuse_bad_tensors,
    weights_of,
)
from .guard import files_guarded, guard_files
from .kept import KEPT
from .trust import files_are_trusted, trust_files

__all__ = [
    'KEPT',
    'files_are_trusted',
    'files_guarded',
    'guard_files',
    'keep_checkpoint',
    'load_checkpoint',
    'load_checkpoint_once',
    'load_weights',
    'local_file',
    'refuse_bad_tensors',
    'trust_files',
    'weights_of',
]
