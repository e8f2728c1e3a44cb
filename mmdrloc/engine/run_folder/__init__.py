"""A run and its work_dir: what it holds, stopping, and going on from it."""

from .folder import LOCK, BeginHook, Previous, RunFolder, locked
from .record import LENGTHS, is_longer, makes_another, record_of
from .resume_hook import ResumeHook, share_gradients, share_statistics
from .stop import InterruptHook, UndisturbedLoader, watched

__all__ = [
    'BeginHook',
    'InterruptHook',
    'LENGTHS',
    'LOCK',
    'Previous',
    'ResumeHook',
    'RunFolder',
    'is_longer',
    'locked',
    'makes_another',
    'UndisturbedLoader',
    'record_of',
    'share_gradients',
    'share_statistics',
    'watched',
]
