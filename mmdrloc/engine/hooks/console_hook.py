"""What a person who waits for a run wants to read."""

import os
import time
from numbers import Real
from pathlib import Path
from typing import Any, Dict, List, Optional

from mmengine.dist import is_main_process
from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.models.pretrained import pretrained_entries
from mmdrloc.registry import HOOKS
from mmdrloc.reporting.results import RECORD, read_object
from mmdrloc.reporting.tables import METRICS
from mmdrloc.utils.batch_size import is_iter_based
from mmdrloc.utils.console import ProgressLine, minutes
from .result_hook import dataset_of

# Of the metrics that tables do not know, so many are named in a line.
MOST_METRICS = 6
# Iterations that the shown loss is a mean of.
WINDOW = 10


@HOOKS.register_module()
class ConsoleHook(Hook):
    """Say what is trained on what, how far it is, and what came of it.

    What is said once is in the log file too; the progress is shown on a
    quiet console only, by the first process.
    """

    # Before the hooks that have something to add.
    priority = 'HIGHEST'

    def __init__(self) -> None:
        self.first: Optional[int] = None
        self.metrics: Dict[str, Any] = {}
        self.is_trained = self.is_tested = False
        self.line = ProgressLine()

    def before_run(self, runner: Runner) -> None:
        """Start the clock."""
        self.begun = time.monotonic()

    def before_train(self, runner: Runner) -> None:
        """Say what is trained: the weights are loaded."""
        data = dataset_of(runner)
        counts = [f'{data["train_images"]} images to train']
        if data['val_images'] is not None:
            counts.append(f'{data["val_images"]} to validate')
        if data['classes']:
            counts.append(f'{data["classes"]} classes')
        runner.logger.info(
            f'{_recipe(runner)} on {data["name"]} ({", ".join(counts)}): '
            f'{_length(runner)}, seed {runner.seed}, {_beginning(runner)}.\n'
            f'All that is logged: {_shown(runner.logger.log_file)}'
        )

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Start the clock of the time that is left."""
        if self.first is None:
            self.first, self.started = runner.iter, time.monotonic()

    def after_train_iter(
        self, runner: Runner, batch_idx: int, **_: Any
    ) -> None:
        """Say how far it is."""
        if not self._is_due():
            return
        done = runner.iter + 1
        where = [_place(runner, 1)]
        if not is_iter_based(runner):
            steps = len(runner.train_dataloader)
            where.append(f'step {batch_idx + 1}/{steps}')
        where += [f'{done / runner.max_iters:.0%}', self._left(runner, done)]
        what = [', '.join(where), _loss(runner)]
        if self.metrics:
            what.append(_line(self.metrics))
        self.line.show('; '.join(filter(None, what)))

    def after_val_iter(self, runner: Runner, batch_idx: int, **_: Any) -> None:
        """Say how far the validation is."""
        if self._is_due():
            steps = len(runner.val_dataloader)
            self.line.show(
                f'{_place(runner)}, validation, step {batch_idx + 1}/{steps}'
            )

    def after_val_epoch(self, runner: Runner, metrics: Dict[str, Any]) -> None:
        """Say what was measured."""
        self.metrics = metrics
        self.line.close()
        if self.first is not None:
            said = [f'{_place(runner)}: {_line(self.metrics)}', _loss(runner)]
            if not self.line.in_place:  # there the next line says it
                said.append(self._left(runner, runner.iter))
            runner.logger.info('; '.join(said))

    def after_train(self, runner: Runner) -> None:
        """Note that the training has come to its end."""
        self.is_trained = self.first is not None

    def before_test(self, runner: Runner) -> None:
        """Say what is tested: the weights are loaded."""
        dataset = runner.test_dataloader.dataset
        name = runner.cfg.get('dataset_name', type(dataset).__name__)
        runner.logger.info(
            f'{_recipe(runner)} on {name}: {len(dataset)} images to test.\n'
            f'All that is logged: {_shown(runner.logger.log_file)}'
        )

    def after_test_iter(
        self, runner: Runner, batch_idx: int, **_: Any
    ) -> None:
        """Say how far it is."""
        if self._is_due():
            steps = len(runner.test_dataloader)
            done = batch_idx + 1
            left_s = (time.monotonic() - self.begun) * (steps - done) / done
            self.line.show(
                f'step {done}/{steps}, {done / steps:.0%}, about '
                f'{minutes(left_s)} left'
            )

    def after_test_epoch(
        self, runner: Runner, metrics: Dict[str, Any]
    ) -> None:
        """Note what was measured."""
        self.metrics, self.is_tested = metrics, True

    def after_run(self, runner: Runner) -> None:
        """Say what came of it."""
        self.line.close()
        passed = minutes(time.monotonic() - self.begun)
        if self.is_trained:
            runner.logger.info('\n'.join(_outcome(runner.work_dir, passed)))
        elif self.is_tested:
            values = [f'{k}: {_value(v)}' for k, v in self.metrics.items()]
            runner.logger.info('\n'.join([f'tested in {passed}', *values]))

    def _is_due(self) -> bool:
        return is_main_process() and self.line.is_due()

    def _left(self, runner: Runner, done: int) -> str:
        """The time left, by what validations and all else have taken."""
        passed_s = time.monotonic() - self.started
        left_s = passed_s * (runner.max_iters - done) / (done - self.first)
        return f'about {minutes(left_s)} left'


def _recipe(runner: Runner) -> str:
    run = runner.cfg.get('run') or {}
    path = runner.cfg.filename
    name = run.get('recipe') or (Path(path).stem if path else 'unnamed')
    return _shown(name) if os.path.isabs(name) else name


def _length(runner: Runner) -> str:
    if is_iter_based(runner):
        return f'{runner.max_iters} iterations'
    epochs = runner.max_epochs
    return f'{epochs} {"epoch" if epochs == 1 else "epochs"}'


def _beginning(runner: Runner) -> str:
    """What the weights are in the beginning."""
    if runner.iter:
        return f'going on after iteration {runner.iter}'
    run = runner.cfg.get('run') or {}
    weights = run.get('weights') or {}
    files = [weights.get('file') or runner.cfg.get('load_from')]
    for module in runner.model.modules():
        for entry in pretrained_entries(getattr(module, 'init_cfg', None)):
            files.append(entry.get('checkpoint'))
    file = next((file for file in files if file), None)
    return f'weights of {_shown(file)}' if file else 'random weights'


def _place(runner: Runner, begun: int = 0) -> str:
    """The epoch, or the iteration where there are none."""
    if is_iter_based(runner):
        return f'iteration {runner.iter + begun}/{runner.max_iters}'
    return f'epoch {runner.epoch + begun}/{runner.max_epochs}'


def _loss(runner: Runner) -> str:
    """The sum of the losses and, if there is one, DRLoc's part of it."""
    scalars = runner.message_hub.log_scalars
    if 'train/loss' not in scalars:
        return ''  # in the first step
    text = f'loss {scalars["train/loss"].mean(WINDOW):.4g}'
    if 'train/loss_drloc' in scalars:
        text += f' (drloc {scalars["train/loss_drloc"].mean(WINDOW):.4g})'
    return text


def _line(metrics: Dict[str, Any]) -> str:
    """The metrics of a validation that tables show; others, but not all."""
    known = [
        f'{metric.title} {metric.factor * metrics[metric.key]:.2f}'
        for metric in METRICS
        if metric.key in metrics
    ]
    numbers = [
        f'{name} {_value(value)}'
        for name, value in metrics.items()
        if isinstance(value, Real)
    ]
    return ', '.join(known or numbers[:MOST_METRICS]) or 'no metric'


def _value(value: Any) -> str:
    return f'{value:.4f}' if isinstance(value, Real) else str(value)


def _outcome(folder: str, passed: str) -> List[str]:
    """What came of a training, and where it lies."""
    path = Path(folder, RECORD)
    result = read_object(path) if path.is_file() else {}
    lines = [f'trained in {passed}']
    for which in ('last', 'best'):
        values = {
            name: measured['value']
            for name, measured in result.get(which, {}).items()
        }
        if values:
            lines.append(f'{which}: {_line(values)}')
    checkpoint = last_checkpoint(folder)
    if checkpoint is not None:
        lines.append(f'checkpoint: {_shown(str(checkpoint))}')
    if result:
        shown = _shown(folder)
        lines += [
            f'result: {_shown(str(path))}',
            f'report: python tools/report.py {shown} --out '
            f'{shown}/report.html',
        ]
    return lines


def _shown(path: Optional[str]) -> str:
    """A path as its reader would write it."""
    if path is None:
        return 'nowhere'
    relative = os.path.relpath(path)
    outside = relative.startswith(os.pardir) or '://' in path
    return path if outside else relative
