"""Train a recipe."""

import functools
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop

from mmdrloc.apis.work_dir import (
    OverwriteHook,
    begun_by_launch,
    claimed,
    is_finished,
    refuse_begun,
    way_to_go_on,
)
from mmdrloc.checkpoints.reading import KEPT
from mmdrloc.checkpoints.transfer.starting_weights import (
    CHECKED,
    require_weights,
    set_weights,
)
from mmdrloc.preflight import check_config, refuse
from mmdrloc.utils.errors import unforeseen_in_one_sentence
from .cli import words_of
from .run import Run
from .running import build_runner
from .session import session
from .settings import (
    keep_checkpoints,
    load_config,
    record_results,
    set_amp,
    set_resume,
    stop_if_not_finite,
)

Place = Union[str, Path]


def train(
    recipe: Place,
    dataset: Optional[Place] = None,
    weights: Optional[Place] = None,
    work_dir: Optional[Place] = None,
    options: Optional[Mapping[str, Any]] = None,
    *,
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
    with a checkpoint, from which ``resume='auto'`` goes on.

    Args:
        recipe (str | Path): A config, or the name of a recipe.
        dataset (str | Path, optional): A data set's name, a file that
            describes one, or a folder of images. Defaults to the recipe's.
        weights (str | Path, optional): What it starts from: a checkpoint of
            any known origin, its address, or the folder of a run.
        work_dir (str | Path, optional): Where logs and results go. Defaults
            to the config's own, or ``work_dirs/<recipe>_<data set>``.
        options (Mapping, optional): Settings of the config to change, such
            as ``{'train_cfg.max_epochs': 5}``.
        seed (int, optional): Of the run. Defaults to the config's.
        amp (bool): Whether to train in mixed precision. Defaults to False.
        resume (str | Path, optional): 'auto', a checkpoint or the folder of a
            run, to go on from.
        overwrite (bool): Whether to replace the run that the folder holds.
            Defaults to False.
        check (bool): Whether to do everything that comes before the first
            update, and stop. Defaults to False.
        partial (bool): Whether weights of which only a part fits are enough.
            Defaults to False.
        trust (bool): Whether files may run the code that they contain.
            Defaults to False.
        launcher (str): How several processes are started. Defaults to
            'none'.

    Returns:
        Run, optional: What was trained; None after a check alone.

    Raises:
        UsageError: With all that keeps it from being trained.
        Interrupted: By a signal; a ``KeyboardInterrupt``.
    """
    arguments = {k: v for k, v in locals().items() if k != 'recipe'}
    if launcher == 'none':
        del arguments['launcher']
    options = dict(options or {})
    if seed is not None:
        options['randomness.seed'] = seed
    resume = None if resume is None else str(resume)
    if resume and Path(resume).is_dir():
        work_dir = work_dir or resume
    weights = None if weights is None else str(weights)
    with session(trust), KEPT.opened():
        cfg = load_config(
            recipe, dataset, options, work_dir, launcher, partial
        )
        words = words_of(recipe, arguments)
        cfg.run.command = shlex.join(['tools/train.py', *words])
        if cfg.get('resume'):
            resume = resume or cfg.get('load_from') or 'auto'
        if begun_by_launch(cfg.work_dir):
            overwrite = '--resume' not in way_to_go_on(cfg.work_dir)
            resume = resume if overwrite else 'auto'
        require_weights(cfg, weights, resume)
        with nullcontext() if check else claimed(cfg.work_dir):
            if not (check or overwrite):
                refuse_begun(cfg.work_dir, resume, cfg.run)
            if resume == 'auto' and is_finished(cfg):
                print(
                    f'finished already: all of {cfg.work_dir} is trained. A '
                    'longer train_cfg goes on, --overwrite starts anew.'
                )
                return Run(cfg.work_dir)
            with unforeseen_in_one_sentence(cfg.work_dir):
                if not check:
                    record_results(cfg)
                stop_if_not_finite(cfg)
                keep_checkpoints(cfg)
                if resume:
                    set_resume(cfg, resume)
                set_weights(
                    cfg,
                    weights,
                    resume,
                    partial,
                    Path(cfg.work_dir, CHECKED) if check else None,
                )
                validates = cfg.get('val_cfg') is not None
                refuse(check_config(cfg, ['train', *['val'] * validates]))
                if amp:
                    set_amp(cfg)
                runner = build_runner(cfg)
            if check:
                _check_only(runner)
                return None
            if overwrite:
                runner.register_hook(OverwriteHook())
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
    Path(runner.work_dir, CHECKED).unlink(missing_ok=True)
    print('All checks passed.')
