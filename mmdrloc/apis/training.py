"""Train a recipe."""

import functools
import os
import shlex
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Mapping, Optional

from mmengine.dist import is_main_process
from mmengine.runner import Runner

from mmdrloc.checkpoints.starts import start_from
from mmdrloc.datasets.use_dataset import is_pretraining
from mmdrloc.engine.run_folder.folder import BeginHook, RunFolder
from mmdrloc.engine.run_folder.record import record_of
from mmdrloc.preflight.building import building_explained, preflight
from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import one_sentence_errors
from mmdrloc.utils.paths import Place, command_line
from .run import Run
from .running import build_runner, load_config, session, set_hooks


def train(
    recipe: Place,
    dataset: Optional[Place] = None,
    weights: Optional[Place] = None,
    work_dir: Optional[Place] = None,
    options: Optional[Mapping[str, Any]] = None,
    *,
    epochs: Optional[int] = None,
    iters: Optional[int] = None,
    seed: Optional[int] = None,
    amp: bool = False,
    resume: Optional[Place] = None,
    overwrite: bool = False,
    check: bool = False,
    partial: bool = False,
    trust: bool = False,
    launcher: str = 'none',
    command: Optional[str] = None,
) -> Optional[Run]:
    """Train a recipe.

    Everything is checked before the first iteration. A signal, such as that
    of the button that interrupts a notebook, ends the training with a
    checkpoint. However it ended, the same call goes on with it, unless it
    says to ``overwrite``.

    Args:
        recipe (str | Path): A config, or the name of a recipe.
        dataset (str | Path, optional): A dataset's name, a file that
            describes one, or a folder of images. Defaults to the recipe's.
        weights (str | Path, optional): What it starts from: a checkpoint of
            any known origin, its address, the folder of a run,
            ``photos-64px``, ``photos-32px``, or a name of mmpretrain's model
            zoo.
        work_dir (str | Path, optional): Where results go. Defaults to
            ``work_dirs/RECIPE_DATASET``.
        options (Mapping[str, Any], optional): Settings of the config, like
            ``{'optim_wrapper.optimizer.lr': 0.001}``.
        epochs (int, optional): Length of the training; warm-up and schedule
            are scaled with it. Defaults to the config's.
        iters (int, optional): The same in iterations.
        seed (int, optional): Defaults to the config's.
        amp (bool): Whether to train in mixed precision. Defaults to False.
        resume (str | Path, optional): A checkpoint to begin with, or the
            folder of a run for its last one. An interrupted run goes on
            without it.
        overwrite (bool): Whether to replace the run in the work_dir.
            Defaults to False.
        check (bool): Whether to do all that comes before the training, and
            write nothing. Defaults to False.
        partial (bool): Whether to take weights of which only a part fits.
            Defaults to False.
        trust (bool): Whether to let files run the code that they contain.
            Defaults to False.
        launcher (str): What started the processes: 'none', 'pytorch',
            'slurm' or 'mpi'. Defaults to 'none'.
        command (str, optional): What ``result.json`` names as the command.
            Defaults to one that trains the config in the work_dir.

    Returns:
        Run, optional: What was trained; None after a check alone.

    Raises:
        UsageError: With all that keeps it from being trained.
        Interrupted: By a signal; a ``KeyboardInterrupt``.
    """
    start = None if weights is None else os.path.expanduser(weights)
    resume = resume and os.path.expanduser(resume)
    if resume and os.path.isdir(resume):
        work_dir = work_dir or resume
    with session(trust), tempfile.TemporaryDirectory() as spare:
        cfg = load_config(
            recipe,
            dataset,
            options,
            work_dir,
            epochs=epochs,
            iters=iters,
            seed=seed,
            amp=amp,
            partial=partial,
            launcher=launcher,
        )
        cfg.run.command = command or _command(cfg.work_dir, cfg.filename)
        folder = RunFolder(cfg.work_dir, launcher)
        log = None if check else folder.path
        lock = nullcontext() if check else folder.lock()
        with one_sentence_errors(log, process_rank(launcher)), lock:
            if cfg.get('resume'):  # as MMEngine means it
                resume = resume or cfg.get('load_from')
            record = record_of(cfg, start, resume)
            previous = folder.previous(record, resume, overwrite)
            if previous.finished:
                if process_rank(launcher) > 0:
                    return Run(folder.path)
                if previous.checkpoint:
                    words = ['test', cfg.work_dir]
                    if cfg.get('test_cfg') is None or is_pretraining(cfg):
                        words = ['train', 'RECIPE', '--weights', cfg.work_dir]
                    print(f'{folder.path} is finished. Go on with:')
                    print(command_line(*words))
                else:
                    print(
                        f'{folder.path} is finished, and its checkpoints are '
                        'gone: --overwrite trains it again.'
                    )
                return Run(folder.path)
            if check:
                cfg.work_dir = spare
            cfg.resume = previous.checkpoint is not None
            start_from(cfg, start, previous.start if cfg.resume else None)
            if cfg.resume:
                cfg.load_from = str(previous.checkpoint)
            set_hooks(cfg, check)
            validates = cfg.get('val_cfg') is not None
            preflight(cfg, ['train', *['val'] * validates])
            runner = build_runner(cfg)
            if check:
                _check_only(runner)
                return None
            runner.register_hook(BeginHook(folder, record, previous))
            runner.train()
    return Run(folder.path)


def _command(work_dir: str, recipe: Optional[str]) -> str:
    """The command that trains the config in a work_dir once more."""
    config = Path(work_dir, Path(recipe or 'unnamed.py').name)
    again = f'{work_dir}-again'
    return shlex.join(['mmdrloc', 'train', str(config), '--work-dir', again])


def _check_only(runner: Runner) -> None:
    """Do all that comes before the first iteration, and stop there."""
    with building_explained(runner.cfg):
        loop = runner.train_loop
    loop.run = functools.partial(runner.call_hook, 'before_train')
    runner.train()
    if is_main_process():
        print('All checks passed.')
