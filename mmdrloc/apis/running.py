"""The Runner of a config, on whatever machine."""

from itertools import count

from mmengine.config import Config
from mmengine.registry import RUNNERS
from mmengine.runner import Runner

from mmdrloc.engine.runner import ResumableRunner
from mmdrloc.utils.distributed import join_group
from .settings import add_hook

RUNNERS_BEFORE = count()


def build_runner(cfg: Config) -> Runner:
    """Build the runner, on the CPU with gloo where there is no GPU.

    Args:
        cfg (Config): The whole config.

    Returns:
        Runner: Ready to train or test.
    """
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
