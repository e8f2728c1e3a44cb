"""Where curves go besides the files of a run: MMEngine's own backends."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Dict

from mmengine.config import Config

from mmdrloc.utils.errors import UsageError

PROJECT = 'mmdrloc'
LOGGERS = ('tensorboard', 'wandb', 'mlflow', 'clearml')


def add_logger(cfg: Config, name: str) -> None:
    """Have a training logged by one more program.

    The run is called after its folder, in the project 'mmdrloc'. Servers,
    keys and offline modes are those of the program's own environment
    variables.

    Args:
        cfg (Config): With ``work_dir``; changed in place. The backends that
            it has stay, and one of the same kind is enough.
        name (str): One of :data:`LOGGERS`.

    Raises:
        UsageError: If there is no such logger, or it is not installed.
    """
    if name not in LOGGERS:
        raise UsageError(
            f'there is no logger {name}: choose from {", ".join(LOGGERS)}.'
        )
    if find_spec(name) is None:
        raise UsageError(
            f'--logger {name} needs one more package: `pip install {name}`.'
        )
    backend = _backend(name, Path(cfg.work_dir).absolute())
    if cfg.get('visualizer') is None:
        cfg.visualizer = dict(type='Visualizer', name='visualizer')
    visualizer = cfg.visualizer
    # The curves of reports are read from the local one.
    backends = visualizer.get('vis_backends') or [dict(type='LocalVisBackend')]
    kinds = [other['type'].rpartition('.')[2] for other in backends]
    if backend['type'] not in kinds:
        visualizer.vis_backends = [*backends, backend]


def _backend(name: str, folder: Path) -> Dict[str, Any]:
    if name == 'tensorboard':
        return dict(type='TensorboardVisBackend')
    if name == 'wandb':
        # What is given here would win over the variable.
        project = os.environ.get('WANDB_PROJECT', PROJECT)
        return dict(
            type='WandbVisBackend',
            init_kwargs=dict(project=project, name=folder.name),
        )
    if name == 'clearml':
        return dict(
            type='ClearMLVisBackend',
            init_kwargs=dict(project_name=PROJECT, task_name=folder.name),
        )
    # Without an address MMEngine gives MLflow a folder of files, whatever the
    # variable says; MLflow no longer takes one.
    address = os.environ.get('MLFLOW_TRACKING_URI')
    if address is None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        address = f'sqlite:///{folder.parent / "mlflow.db"}'
    return dict(
        type='MLflowVisBackend',
        exp_name=PROJECT,
        run_name=folder.name,
        tracking_uri=address,
        # Values of a whole config are longer than its parameters may be.
        tracked_config_keys=['run'],
    )
