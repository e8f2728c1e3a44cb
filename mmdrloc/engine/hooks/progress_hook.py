"""Progress on the console: what is trained, how far it is, the outcome."""

import os
import time
from numbers import Real
from typing import Any, Dict, List, Optional

from mmengine.dist import is_main_process
from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.datasets.use_dataset import is_pretraining
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
        self.metrics: List[str] = []

    def before_train(self, runner: Runner) -> None:
        """Say what is trained."""
        data = dataset_of(runner)
        counts = [counted(data['train_images'], 'training image')]
        if data['val_images']:
            counts.append(counted(data['val_images'], 'validation image'))
        if data['classes']:
            counts.append(counted(data['classes'], 'class'))
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
            log = os.path.relpath(runner.logger.log_file)
            runner.logger.info(f'Log file: {log}')

    def _after_iter(
        self, runner: Runner, batch_idx: int, mode: str = 'train', **_: Any
    ) -> None:
        """Show how far a training, a validation or a test is."""
        if not (is_main_process() and self.line.is_due()):
            return
        if mode == 'train':
            done, total = runner.iter + 1, runner.max_iters
            text = self._state(runner, begun=1)
        else:
            done = batch_idx + 1
            total = len(getattr(runner, f'{mode}_dataloader'))
            text = f'{mode}: batch {done}/{total}'
        self.line.show(text, done, total)

    def after_val_epoch(self, runner: Runner, metrics: Dict[str, Any]) -> None:
        """Log the metrics that tables show, or all if they show none."""
        self.line.close()
        known = [
            f'{metric.title} '
            f'{metric.factor * metrics[metric.key]:.{metric.digits}f}'
            for metric in METRICS
            if metric.key in metrics
        ]
        self.metrics = known or _shown(metrics)
        if self.first is not None:
            runner.logger.info(self._state(runner))

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
        folder = os.path.relpath(runner.work_dir)
        last = last_checkpoint(folder)
        words = ['report', folder, '--out', f'{folder}/report.html']
        use = 'Report'
        if runner.val_loop is None or is_pretraining(runner.cfg):
            words = ['train', 'RECIPE', '--weights', folder]
            use = 'Start from it'
        runner.logger.info(
            f'Trained in {minutes(time.monotonic() - self.started)}.\n'
            f'Checkpoint: {os.path.relpath(last) if last else "none"}\n'
            f'{use}: {command_line(*words)}'
        )

    def _state(self, runner: Runner, begun: int = 0) -> str:
        """Place, loss, metrics, time left; ``begun`` = 1 within a step."""
        done, total = runner.iter + begun, runner.max_iters
        place = f'iteration {done}/{total}'
        if not is_iter_based(runner):
            epoch = f'epoch {runner.epoch + begun}/{runner.max_epochs}'
            place = f'{epoch}, {place}'
        # None before MMEngine has noted the first.
        losses = runner.message_hub.log_scalars.get('train/loss')
        parts = [f'loss {losses.mean(WINDOW):.4g}'] if losses else []
        parts += self.metrics
        if done < total:
            passed_s = time.monotonic() - self.started
            left_s = passed_s * (total - done) / (done - self.first)
            parts.append(f'about {minutes(left_s)} left')
        return f'{place}: {", ".join(parts)}'


def _shown(metrics: Dict[str, Any]) -> List[str]:
    """Names and numbers; no confusion matrix."""
    return [
        f'{k}: {v:.4f}' if isinstance(v, Real) else f'{k}: {v}'
        for k, v in metrics.items()
        if getattr(v, 'ndim', 0) == 0
    ]
