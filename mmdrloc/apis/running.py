"""The process and the Runner that a call works in."""

from contextlib import contextmanager
from itertools import count
from typing import Iterator

from mmengine.config import Config
from mmengine.logging import MMLogger
from mmengine.registry import RUNNERS
from mmengine.runner import Runner

from mmdrloc.checkpoints.reading import files_as_data
from mmdrloc.engine.runner import ResumableRunner
from mmdrloc.utils.console import known_warnings_ignored, quiet
from mmdrloc.utils.distributed import join_group
from mmdrloc.utils.signals import watched
from .settings import add_hook

RUNNERS_BEFORE = count()


@contextmanager
def session(trust: bool = False, tables: bool = False) -> Iterator[None]:
    """Do one thing as a command line does it, in whatever process.

    Files are read as data, the console is quiet, and signals end a training
    between two updates. Afterwards, also after an exception, environment,
    signal handlers and readers of files are as before.

    Args:
        trust (bool): Whether to let files run the code that they contain.
            Defaults to False.
        tables (bool): Whether the libraries' tables of results are wanted.
            Defaults to False.
    """
    quiet(MMLogger.get_current_instance(), tables)
    with watched(), files_as_data(trust), known_warnings_ignored():
        yield


def build_runner(cfg: Config) -> Runner:
    """Build the runner of a whole config, on the CPU where there is no GPU."""
    if cfg.launcher != 'none':
        join_group(cfg)
    add_hook(cfg, 'resume', 'mmdrloc.ResumeHook')
    before = next(RUNNERS_BEFORE)
    if before:
        # MMEngine keeps loggers and visualizers by name for the process.
        cfg.experiment_name = f'{cfg.get("experiment_name", "run")}-{before}'
        if cfg.get('visualizer'):
            cfg.visualizer.name = cfg.experiment_name
    if 'runner_type' in cfg:
        return RUNNERS.build(cfg)
    return ResumableRunner.from_cfg(cfg)
