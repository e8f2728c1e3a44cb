"""Complete a config from the arguments of a command; build its runner."""

import os
from contextlib import contextmanager, redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Union

import torch
from matplotlib import rc_context
from mmengine.config import Config, ConfigDict
from mmengine.device import get_device
from mmengine.logging import MMLogger
from mmengine.registry import VISBACKENDS
from mmengine.runner import Runner

from mmdrloc.checkpoints.reading import files_as_data
from mmdrloc.datasets.recipes import read_recipe, work_dir_of
from mmdrloc.engine.length import scale_schedule
from mmdrloc.engine.optimizers import cpu_has_bfloat16
from mmdrloc.engine.run_folder.record import LENGTHS, makes_another
from mmdrloc.engine.run_folder.stop import watched
from mmdrloc.engine.runner import ResumableRunner
from mmdrloc.preflight.rules import unread_options
from mmdrloc.reporting.identity import option_text
from mmdrloc.utils.config_walk import at, kind_of
from mmdrloc.utils.console import known_warnings_ignored, quiet
from mmdrloc.utils.distributed import join_group, process_rank
from mmdrloc.utils.errors import UsageError, first_line, mention

RUNNERS_BEFORE = count()
# Options that change what comes out, and not what a training is called.
HOW = ('auto_scale_lr.', 'val_evaluator.')


def load_config(
    recipe: Union[str, Path],
    dataset: Union[None, str, Path] = None,
    options: Optional[Mapping[str, Any]] = None,
    work_dir: Union[None, str, Path] = None,
    *,
    seed: Optional[int] = None,
    epochs: Optional[int] = None,
    iters: Optional[int] = None,
    amp: bool = False,
    partial: bool = False,
    launcher: str = 'none',
    classes: Sequence[str] = (),
) -> Config:
    """Read a recipe; set what the arguments of a command say.

    Returns:
        Config: ``run`` in it says what is trained, with the options that
        change it.

    Raises:
        UsageError: If the config cannot be read or the options do not fit.
    """
    options = dict(options or {})
    if seed is not None:
        options['randomness.seed'] = seed
    dataset = None if dataset is None else str(dataset)
    cfg = read_recipe(recipe, dataset, launcher, classes)
    with redirect_stdout(StringIO()), suppress(Exception):
        # Datasets of libraries print what else they could use when they are
        # imported; what is wrong with them is told later.
        import_module(f'{cfg.get("default_scope")}.datasets')
    cfg.launcher = launcher  # a run's own config has the launcher of the run
    if epochs is not None or iters is not None:
        scale_schedule(cfg, epochs, iters)
    if any(key.startswith('custom_imports') for key in options):
        raise UsageError(
            '--cfg-options custom_imports: modules are imported when a config '
            'is read: name them in a config that inherits this one.'
        )
    unread = unread_options(cfg, options)
    for key, said in unread.items():
        # A variable of the file may be read by its own code.
        if key.partition('.')[0] not in cfg:
            raise UsageError(f'--cfg-options {said}')
    if process_rank(launcher) == 0:
        mention(*unread.values())
    try:
        cfg.merge_from_dict(options)
    except (KeyError, TypeError) as error:
        raise UsageError(
            f'--cfg-options do not fit the config: {first_line(error)}'
        ) from error
    if partial:
        cfg.partial_weights = True
    if amp:
        set_amp(cfg)
    texts = {key: option_text(key, value) for key, value in options.items()}
    cfg.run.options = cfg.run.get('options', []) + [
        text for key, text in texts.items() if makes_another(key)
    ]
    cfg.run.how = [
        *cfg.run.get('how', []),
        *['mixed precision'] * amp,
        *['part of the weights'] * partial,
        *(text for key, text in texts.items() if key.startswith(HOW)),
    ]
    asked = [
        option_text(key, at(cfg, key))
        for key in LENGTHS
        if at(cfg, key) and (key in options or epochs or iters)
    ]
    cfg.run.length = asked or cfg.run.get('length', [])
    cfg.work_dir = os.path.expanduser(
        work_dir or cfg.get('work_dir') or work_dir_of(recipe, cfg)
    )
    add_hook(cfg, 'preflight', 'mmdrloc.PreflightHook')
    add_hook(cfg, 'progress', 'mmdrloc.ProgressHook')
    add_hook(cfg, 'non_finite', 'mmdrloc.NonFiniteHook')
    return cfg


def set_hooks(cfg: Config, check: bool = False) -> None:
    """Add the hooks that make a training safe."""
    hooks = _default_hooks(cfg)
    if not check:
        add_hook(cfg, 'result', 'mmdrloc.ResultHook')
    visualizer = cfg.get('visualizer')
    if check and isinstance(visualizer, dict):
        # They write files, or begin a run on a server; what is misspelt
        # stays, and is refused.
        visualizer['vis_backends'] = [
            backend
            for backend in visualizer.get('vis_backends') or []
            if not (
                isinstance(backend, dict)
                and VISBACKENDS.get(str(backend.get('type')))
            )
        ]
    hooks.setdefault('checkpoint', {})
    usual = hooks['checkpoint']
    if isinstance(usual, dict):  # it is None where nothing is to be saved
        usual.setdefault('type', 'CheckpointHook')
        loop = cfg.get('train_cfg') or {}
        if 'max_iters' in loop and 'by_epoch' not in usual:
            # An epoch of such a loop is the whole training.
            if usual.get('interval', 1) == 1:
                usual['interval'] = loop.get('val_interval', 1000)
            usual['by_epoch'] = False
        usual.setdefault('interval', 1)
        # MMEngine removes the oldest before it writes the next.
        if usual.get('max_keep_ckpts') == 1:
            usual['max_keep_ckpts'] = 2
    # Last, so that the others see the last step before it ends.
    add_hook(cfg, 'interrupt', 'mmdrloc.InterruptHook')


def set_amp(cfg: Config) -> None:
    """Train in mixed precision: on a GPU, or in bfloat16 on the CPU."""
    wrapper = cfg.get('optim_wrapper') or ConfigDict()
    kind = kind_of(wrapper) if wrapper.get('type') else 'OptimWrapper'
    if kind not in ('OptimWrapper', 'AmpOptimWrapper'):
        raise UsageError(
            f'--amp cannot replace optim_wrapper.type={kind}: '
            'set it to OptimWrapper.'
        )
    if torch.cuda.is_available():
        wrapper.type = 'AmpOptimWrapper'
        wrapper.setdefault('loss_scale', 'dynamic')
        return
    if get_device() != 'cpu' or not cpu_has_bfloat16():
        raise UsageError(
            'mixed precision needs an NVIDIA GPU or a CPU with '
            'bfloat16 instructions (avx512_bf16 or amx_bf16), and this '
            'machine shows neither: train without --amp.'
        )
    if cfg.get('default_scope') == 'mmdet':
        raise UsageError(
            "mmcv's operators of detectors have no bfloat16 on CPUs: "
            'train without --amp.'
        )
    wrapper.type = 'mmdrloc.CPUAmpOptimWrapper'
    for key in ('loss_scale', 'dtype'):
        wrapper.pop(key, None)


def add_hook(cfg: Config, name: str, kind: str) -> None:
    """Add a hook to ``default_hooks``, unless the config has that name.

    With None under that name the config leaves it out.
    """
    hooks = _default_hooks(cfg)
    if hooks.setdefault(name, dict(type=kind)) is None:
        hooks.pop(name)  # MMEngine takes None for its own hooks alone


def _default_hooks(cfg: Config) -> Dict[str, Any]:
    """The hooks of a config; the checks refuse what is no dict."""
    if cfg.get('default_hooks') is None:
        cfg.default_hooks = {}
    hooks = cfg.default_hooks
    return hooks if isinstance(hooks, dict) else {}


@contextmanager
def session(trust: bool = False) -> Iterator[None]:
    """Hold the state of the process that a command needs, for its duration.

    Files are read as data, unless trusted, the console is quiet, and signals
    end a training between two updates.
    """
    quiet(MMLogger.get_current_instance())
    # A dollar in the name of a class begins no formula.
    plain = rc_context({'text.parse_math': False})
    with watched(), files_as_data(trust), known_warnings_ignored(), plain:
        yield


def set_loaders(cfg: Config, gpu: bool) -> None:
    """Complete the loaders of a config as mmpretrain's own tool does.

    Where it says nothing, workers live on from epoch to epoch, mmpretrain's
    images are stacked, and for a GPU memory is pinned.
    """
    for split in ('train', 'val', 'test'):
        loader = cfg.get(f'{split}_dataloader')
        if not isinstance(loader, dict):
            continue
        loader.setdefault('pin_memory', gpu)
        if not loader.get('num_workers'):
            loader['persistent_workers'] = False
        loader.setdefault('persistent_workers', True)
        if cfg.get('default_scope') == 'mmpretrain':
            loader.setdefault('collate_fn', dict(type='default_collate'))


def build_runner(cfg: Config) -> Runner:
    """Build the runner of a whole config."""
    set_loaders(cfg, torch.cuda.is_available())
    if cfg.launcher != 'none':
        join_group(cfg)
    add_hook(cfg, 'resume', 'mmdrloc.ResumeHook')
    before = next(RUNNERS_BEFORE)
    if before:
        # MMEngine returns an earlier logger or visualizer of the same name.
        cfg.experiment_name = f'{cfg.get("experiment_name", "run")}-{before}'
        if cfg.get('visualizer'):
            cfg.visualizer.name = cfg.experiment_name
    return ResumableRunner.from_cfg(cfg)
