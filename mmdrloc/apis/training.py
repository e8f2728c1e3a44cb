"""Train a recipe."""

import functools
import shlex
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Mapping, Optional

from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop

from mmdrloc.checkpoints.starts import start_from
from mmdrloc.preflight.building import preflight
from mmdrloc.preflight.run_record import record_of
from mmdrloc.utils.errors import one_sentence_errors
from mmdrloc.utils.paths import Place
from .cli import words_of
from .run import Run
from .running import build_runner, load_config, session, set_amp, set_hooks
from .work_dir import BeginHook, lock, previous_run


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
    trust: bool = False,
) -> Optional[Run]:
    """Train a recipe; ``mmdrloc train --help`` says what arguments do.

    Everything is checked before the first iteration. A signal, such as that
    of the button that interrupts a notebook, ends the training with a
    checkpoint. However it ended, the same call goes on with it. ``options``
    are settings of the config, like ``{'optim_wrapper.optimizer.lr': 0.001}``.

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
            seed=seed,
            epochs=epochs,
            iters=iters,
        )
        words = ['tools/train.py', *words_of(recipe, asked)]
        cfg.run.command = shlex.join(words)
        spare = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        with (
            spare,
            one_sentence_errors(None if check else cfg.work_dir),
            nullcontext() if check else lock(cfg.work_dir),
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
                cfg.work_dir = spare.name
            begun = previous.weights if previous.checkpoint else None
            start_from(cfg, weights, begun)
            set_hooks(cfg, check)
            cfg.resume = previous.checkpoint is not None
            if cfg.resume:
                cfg.load_from = str(previous.checkpoint)
            validates = cfg.get('val_cfg') is not None
            preflight(cfg, ['train', *['val'] * validates])
            runner = build_runner(cfg)
            if check:
                _check_only(runner)
                return None
            runner.register_hook(BeginHook(record, cfg.resume))
            runner.train()
    return Run(cfg.work_dir)


def _check_only(runner: Runner) -> None:
    """Do all that comes before the first iteration, and stop there."""
    build = runner.build_train_loop

    def build_and_stop(settings: Any) -> BaseLoop:
        loop = build(settings)
        loop.run = functools.partial(runner.call_hook, 'before_train')
        return loop

    runner.build_train_loop = build_and_stop
    runner.train()
    print('All checks passed.')
