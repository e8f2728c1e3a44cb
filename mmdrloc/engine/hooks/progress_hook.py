"""Progress on the console: what is trained, how far it is, the outcome."""

import os
import time
from numbers import Real
from pathlib import Path
from typing import Any, Dict, Optional, Union

from mmengine.dist import is_main_process
from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.registry import HOOKS
from mmdrloc.reporting.metrics import METRICS
from mmdrloc.utils.batch_size import is_iter_based
from mmdrloc.utils.console import ProgressLine, minutes
from mmdrloc.utils.errors import counted
from mmdrloc.utils.paths import command_line
from .result_hook import dataset_of

# Iterations that the shown loss is a mean of.
WINDOW = 10


@HOOKS.register_module()
class ProgressHook(Hook):
    """Shows what is trained on what, progress, and the time left.

    The console has a progress line, and a line for each validation; what
    ``LoggerHook`` writes goes to the log file.
    """

    # Before hooks that print more.
    priority = 'HIGHEST'

    def __init__(self) -> None:
        self.line = ProgressLine()
        self.started = time.monotonic()
        self.first: Optional[int] = None
        self.metrics = ''

    def before_train(self, runner: Runner) -> None:
        """Say what is trained."""
        data = dataset_of(runner)
        counts = [counted(data['train_images'], 'training image')]
        if data['val_images']:
            counts.append(counted(data['val_images'], 'validation image'))
        if data['classes']:
            counts.append(f'{data["classes"]} classes')
        length = counted(runner.max_epochs, 'epoch')
        if is_iter_based(runner):
            length = counted(runner.max_iters, 'iteration')
        recipe = (runner.cfg.get('run') or {}).get('recipe', 'unnamed')
        begins = f', from iteration {runner.iter}' if runner.iter else ''
        runner.logger.info(
            f'{recipe} on {data["name"]} ({", ".join(counts)}): {length}, '
            f'seed {runner.seed}{begins}.'
        )

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Start the clock of the time that is left."""
        if self.first is None:
            self.first, self.started = runner.iter, time.monotonic()
            runner.logger.info(f'Log file: {_path(runner.logger.log_file)}')

    def _after_iter(
        self, runner: Runner, batch_idx: int, mode: str = 'train', **_: Any
    ) -> None:
        """Show how far a training, a validation or a test is."""
        if not (is_main_process() and self.line.is_due()):
            return
        done, total = batch_idx + 1, len(getattr(runner, f'{mode}_dataloader'))
        text = f'{mode}: batch {done}/{total}'
        if mode == 'train':
            text = f'{_place(runner, 1)}: {_loss(runner)}'
            text += self._left(runner, 1)
            text += f'; {self.metrics}' if self.metrics else ''
            if is_iter_based(runner):
                done, total = runner.iter + 1, runner.max_iters
        self.line.show(text, done, total)

    def after_val_epoch(self, runner: Runner, metrics: Dict[str, Any]) -> None:
        """Log the metrics that tables show, or all if they show none."""
        self.line.close()
        known = [
            f'{metric.title} {metric.factor * metrics[metric.key]:.2f}'
            for metric in METRICS
            if metric.key in metrics
        ]
        self.metrics = ', '.join(known or _shown(metrics))
        if self.first is not None:
            text = f'{_place(runner)}: {_loss(runner)}{self.metrics}'
            left = runner.iter < runner.max_iters
            text += f'; {self._left(runner)}' if left else ''
            runner.logger.info(text)

    def after_test_epoch(
        self, runner: Runner, metrics: Dict[str, Any]
    ) -> None:
        """Log all that was measured."""
        self.line.close()
        runner.logger.info('\n'.join(_shown(metrics)))

    def after_run(self, runner: Runner) -> None:
        """Say where the outcome of a training is."""
        self.line.close()
        if self.first is None:
            return
        took = minutes(time.monotonic() - self.started)
        folder = _path(runner.work_dir)
        report = command_line(
            'report', folder, '--out', f'{folder}/report.html'
        )
        runner.logger.info(
            f'Trained in {took}.\n'
            f'Checkpoint: {_path(last_checkpoint(runner.work_dir))}\n'
            f'Report: {report}'
        )

    def _left(self, runner: Runner, begun: int = 0) -> str:
        """Estimate the time left from all the time so far."""
        done, total = runner.iter + begun, runner.max_iters
        passed_s = time.monotonic() - self.started
        left_s = passed_s * (total - done) / (done - self.first)
        return f'about {minutes(left_s)} left'


def _place(runner: Runner, begun: int = 0) -> str:
    """Say epoch and iteration; ``begun`` = 1 counts those in progress."""
    iteration = f'iteration {runner.iter + begun}/{runner.max_iters}'
    if is_iter_based(runner):
        return iteration
    return f'epoch {runner.epoch + begun}/{runner.max_epochs}, {iteration}'


def _loss(runner: Runner) -> str:
    """The mean of the last losses; '' before MMEngine has noted the first."""
    losses = runner.message_hub.log_scalars.get('train/loss')
    return f'loss {losses.mean(WINDOW):.4g}, ' if losses else ''


def _shown(metrics: Dict[str, Any]) -> list:
    """Names and numbers; no confusion matrix."""
    return [
        f'{name}: {value:.4f}'
        if isinstance(value, Real)
        else f'{name}: {value}'
        for name, value in metrics.items()
        if getattr(value, 'ndim', 0) == 0
    ]


def _path(path: Union[None, str, Path]) -> str:
    """Write a path relative to the current folder if it is inside."""
    if path is None:
        return 'none'
    relative = os.path.relpath(path)
    return str(path) if relative.startswith(os.pardir) else relative
