"""End a training at a signal, with a checkpoint."""

import signal
from typing import Any, Dict, Optional

import torch
from mmengine.dist import (
    all_reduce,
    barrier,
    get_world_size,
    is_main_process,
)
from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.checkpoints.saved import INTERRUPTED, last_checkpoint
from mmdrloc.registry import HOOKS
from mmdrloc.utils import signals
from mmdrloc.utils.batch_size import accumulative_counts
from mmdrloc.utils.errors import Interrupted

# Several processes ask each other every so many iterations: they wait for
# their devices then.
TOGETHER = 10


@HOOKS.register_module()
class InterruptHook(Hook):
    """Saves and ends the training after an iteration in which a signal came.

    The checkpoint is ``interrupted_iter_<n>.pth``; none is written after a
    regular one of the same iteration. A training ends between two updates, or
    within a validation before which it was saved. Several processes end
    together, a few iterations later.
    """

    # After hooks that change the state, and after those that record it.
    priority = 'LOWEST'
    _saved: Optional[int] = None

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Note a checkpoint that can be resumed; the best ones cannot."""
        if 'optimizer' in checkpoint:
            self._saved = checkpoint['meta']['iter']

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Let signals wait for the end of the iteration from now on."""
        signals.training_begins()

    def after_train_iter(self, runner: Runner, **_: Any) -> None:
        """End here, unless between two parts of an update."""
        done = runner.iter + 1
        told = signals.received()
        if done % accumulative_counts(runner) and done != runner.max_iters:
            return
        if get_world_size() > 1:
            if not self.every_n_train_iters(runner, TOGETHER):
                return
            flag = torch.tensor(told)
            all_reduce(flag, 'max')
            told = int(flag)
        if told:
            self._end(runner, told, done)

    def after_val_iter(self, runner: Runner, **_: Any) -> None:
        """End within a validation, if nothing needs to be saved."""
        told = signals.received()
        # Nothing can be saved here: EMAHook has swapped the weights.
        if told and self._saved == runner.iter and get_world_size() == 1:
            self._end(runner, told, runner.iter)

    def _end(self, runner: Runner, told: int, iteration: int) -> None:
        if self._saved != iteration:
            name = INTERRUPTED.format(iteration)
            meta = dict(epoch=runner.epoch, iter=iteration)
            runner.save_checkpoint(
                runner.work_dir, name, meta=meta, by_epoch=False
            )
        barrier()  # while the first one writes
        name, folder = signal.Signals(told).name, runner.work_dir
        said = (
            f'ended by {name} after iteration {iteration}, saved in '
            f'{last_checkpoint(folder)}: run the same command to resume.'
        )
        raise Interrupted(told, said if is_main_process() else '')
