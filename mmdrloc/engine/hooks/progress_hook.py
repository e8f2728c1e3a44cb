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
from mmdrloc.reporting.runs import RECORD
from mmdrloc.reporting.tables import METRICS
from mmdrloc.utils.batch_size import is_iter_based
from mmdrloc.utils.console import ProgressLine, minutes
from .result_hook import dataset_of

# Iterations that the shown loss is a mean of.
WINDOW = 10


@HOOKS.register_module()
class ProgressHook(Hook):
    """Say what is trained on what, show progress and time left.

    What ``LoggerHook`` writes goes to the log file; the console has a
    progress line, and a line a validation.

    Args:
        log_file (bool): Whether the log file is kept, and named. Defaults to
            True.
    """

    # Before the hooks that have something to add.
    priority = 'HIGHEST'

    def __init__(self, log_file: bool = True) -> None:
        self.log_file = log_file
        self.line = ProgressLine()
        self.first: Optional[int] = None
        self.metrics = ''

    def before_run(self, runner: Runner) -> None:
        """Start the clock."""
        self.begun = self.started = time.monotonic()

    def before_train(self, runner: Runner) -> None:
        """Say what is trained."""
        data = dataset_of(runner)
        counts = f'{data["train_images"]} training images'
        if data['val_images'] is not None:
            counts += f', {data["val_images"]} validation images'
        if data['classes']:
            counts += f', {data["classes"]} classes'
        length = f'{runner.max_epochs} epochs'
        if is_iter_based(runner):
            length = f'{runner.max_iters} iterations'
        begins = f', from iteration {runner.iter}' if runner.iter else ''
        self._say_begin(
            runner,
            f'{data["name"]} ({counts}): {length}, seed {runner.seed}{begins}',
        )

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Start the clock of the time that is left."""
        if self.first is None:
            self.first, self.started = runner.iter, time.monotonic()

    def after_train_iter(self, runner: Runner, **_: Any) -> None:
        """Show how far the training is."""
        losses = runner.message_hub.log_scalars.get('train/loss')
        # The first loss is noted after this hook.
        if losses is not None and self._is_due():
            left = self._left(runner.iter + 1, runner.max_iters)
            self.line.show(
                f'{_place(runner, 1)}, {left}; loss {losses.mean(WINDOW):.4g}'
                + (f'; {self.metrics}' if self.metrics else '')
            )

    def after_val_iter(self, runner: Runner, batch_idx: int, **_: Any) -> None:
        """Show how far the validation is."""
        if self._is_due():
            total = len(runner.val_dataloader)
            self.line.show(
                f'{_place(runner)}: validation, batch {batch_idx + 1}/{total}'
            )

    def after_val_epoch(self, runner: Runner, metrics: Dict[str, Any]) -> None:
        """Log what was measured: the metrics that tables show, or else all."""
        self.line.close()
        known = [
            f'{metric.title} {metric.factor * metrics[metric.key]:.2f}'
            for metric in METRICS
            if metric.key in metrics
        ]
        numbers = [f'{name} {_shown(v)}' for name, v in metrics.items()]
        self.metrics = ', '.join(known or numbers)
        if self.first is not None:
            text = f'{_place(runner)}: {self.metrics}'.removesuffix(': ')
            if runner.iter < runner.max_iters:
                text += f'; {self._left(runner.iter, runner.max_iters)}'
            runner.logger.info(text)

    def before_test(self, runner: Runner) -> None:
        """Say what is tested."""
        dataset = runner.test_dataloader.dataset
        name = runner.cfg.get('dataset_name', type(dataset).__name__)
        self._say_begin(runner, f'{name}: {len(dataset)} test images')

    def after_test_iter(
        self, runner: Runner, batch_idx: int, **_: Any
    ) -> None:
        """Show how far the test is."""
        if self._is_due():
            done, total = batch_idx + 1, len(runner.test_dataloader)
            self.line.show(f'batch {done}/{total}, {self._left(done, total)}')

    def after_test_epoch(
        self, runner: Runner, metrics: Dict[str, Any]
    ) -> None:
        """Log all that was measured."""
        self.line.close()
        lines = [
            f'{name}: {_shown(value)}'
            for name, value in metrics.items()
            if getattr(value, 'ndim', 0) == 0  # no confusion matrix
        ]
        runner.logger.info('\n'.join(lines))

    def after_run(self, runner: Runner) -> None:
        """Say where the outcome is."""
        self.line.close()
        if self.first is None:  # a test
            return
        folder = runner.work_dir
        lines = [f'Trained in {minutes(time.monotonic() - self.begun)}.']
        checkpoint = last_checkpoint(folder)
        if checkpoint is not None:
            lines.append(f'Checkpoint: {_path(checkpoint)}')
        record = Path(folder, RECORD)
        if record.is_file():
            shown = _path(folder)
            lines += [
                f'Result: {_path(record)}',
                f'Report: python tools/report.py {shown} --out '
                f'{shown}/report.html',
            ]
        runner.logger.info('\n'.join(lines))

    def _say_begin(self, runner: Runner, text: str) -> None:
        path = runner.cfg.filename
        recipe = (runner.cfg.get('run') or {}).get('recipe')
        recipe = recipe or (Path(path).stem if path else 'unnamed')
        log_file = ''
        if self.log_file:
            log_file = f'\nLog file: {_path(runner.logger.log_file)}'
        runner.logger.info(f'{recipe} on {text}.{log_file}')

    def _is_due(self) -> bool:
        return is_main_process() and self.line.is_due()

    def _left(self, done: int, total: int) -> str:
        """The time left, by what validations and all else have taken."""
        passed_s = time.monotonic() - self.started
        left_s = passed_s * (total - done) / (done - (self.first or 0))
        return f'about {minutes(left_s)} left'


def _place(runner: Runner, begun: int = 0) -> str:
    """Epoch and iteration; what has only begun counts with ``begun`` = 1."""
    iteration = f'iteration {runner.iter + begun}/{runner.max_iters}'
    if is_iter_based(runner):
        return iteration
    return f'epoch {runner.epoch + begun}/{runner.max_epochs}, {iteration}'


def _shown(value: Any) -> str:
    return f'{value:.4f}' if isinstance(value, Real) else str(value)


def _path(path: Union[str, Path, None]) -> str:
    """A path as its reader would write it."""
    if path is None:
        return 'none'
    relative = os.path.relpath(path)
    outside = relative.startswith(os.pardir) or '://' in str(path)
    return str(path) if outside else relative
