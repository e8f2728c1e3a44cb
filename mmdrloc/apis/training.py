"""Train a recipe."""

import functools
import shlex
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop

from mmdrloc.checkpoints.starts import start_from
from mmdrloc.preflight import preflight
from mmdrloc.preflight.run_record import record_of
from mmdrloc.utils.errors import one_sentence_errors
from .cli import command_of
from .run import Run
from .running import build_runner, session
from .settings import load_config, set_amp, set_hooks, set_resume
from .work_dir import BeginHook, lock, previous_run

Place = Union[str, Path]


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
) -> Optional[Run]:
    """Train a recipe; what ``tools/train.py`` does.

    Everything is checked before the first update. A signal, such as that of
    the button that interrupts a notebook, ends the training after the update
    with a checkpoint. However it ended, the same call goes on with it.

    Args:
        recipe (str | Path): A config, or the name of a recipe.
        dataset (str | Path, optional): A data set's name, a file that
            describes one, or a folder of images. Defaults to the recipe's.
        weights (str | Path, optional): What it starts from: a checkpoint of
            any known origin, its address, the folder of a run, or a name of
            mmpretrain's model zoo.
        work_dir (str | Path, optional): Where logs and results go. Defaults
            to the config's own, or ``work_dirs/<recipe>_<data set>``.
        options (Mapping, optional): Settings of the config to change, such
            as ``{'optim_wrapper.optimizer.lr': 0.001}``.
        epochs (int, optional): Length of the training; warm-up and schedule
            are scaled with it. Defaults to the config's.
        iters (int, optional): The same in iterations.
        seed (int, optional): Seed of the run. Defaults to the config's.
        amp (bool): Whether to train in mixed precision. Defaults to False.
        resume (str | Path, optional): A checkpoint of one's choice to go on
            from, the folder of a run for its last one, or 'auto' for the
            last one of this run, which there has to be.
        overwrite (bool): Whether to replace the run that the folder holds.
            Defaults to False.
        check (bool): Whether to do everything that comes before the first
            update, and write nothing. Defaults to False.
        partial (bool): Whether to take weights of which only a part fits.
            Defaults to False.
        trust (bool): Whether to let files run the code that they contain.
            Defaults to False.
        launcher (str): How several processes are started. Defaults to
            'none'.

    Returns:
        Run, optional: What was trained; None after a check alone.

    Raises:
        UsageError: With all that keeps it from being trained.
        Interrupted: By a signal; a ``KeyboardInterrupt``.
    """
    asked = {k: v for k, v in locals().items() if k != 'recipe'}
    if resume and Path(resume).is_dir():
        work_dir = work_dir or resume
    weights = None if weights is None else str(weights)
    with session(trust):
        cfg = load_config(
            recipe,
            dataset,
            options,
            work_dir,
            seed,
            launcher,
            partial,
            epochs,
            iters,
        )
        cfg.run.command = command_of(recipe, asked)
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as spare,
            nullcontext() if check else lock(cfg.work_dir),
            one_sentence_errors(
                tempfile.gettempdir() if check else cfg.work_dir
            ),
        ):
            if amp:
                set_amp(cfg)
            record = record_of(cfg, weights)
            previous = previous_run(cfg, record, resume, overwrite)
            if previous.finished:
                print(f'{cfg.work_dir} is finished. Test it with:')
                print(f'python tools/test.py {shlex.quote(cfg.work_dir)}')
                return Run(cfg.work_dir)
            if check:
                cfg.work_dir = spare
            goes_on = previous.checkpoint is not None
            start_from(cfg, weights, previous.weights if goes_on else None)
            set_hooks(cfg, check)
            set_resume(cfg, previous.checkpoint)
            validates = cfg.get('val_cfg') is not None
            preflight(cfg, ['train', *['val'] * validates])
            runner = build_runner(cfg)
            if check:
                _check_only(runner)
                return None
            runner.register_hook(BeginHook(record, goes_on))
            runner.train()
    return Run(cfg.work_dir)


def _check_only(runner: Runner) -> None:
    """Prepare a training as far as it goes, and do not train."""
    build = runner.build_train_loop

    def build_and_stop(settings: Any) -> BaseLoop:
        loop = build(settings)
        loop.run = functools.partial(runner.call_hook, 'before_train')
        return loop

    runner.build_train_loop = build_and_stop
    runner.train()
    print('All checks passed.')
