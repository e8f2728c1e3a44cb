"""End a training at a signal, with a checkpoint."""

from pathlib import Path
from typing import Any, Dict, Optional

import torch
from mmengine.dist import get_world_size, is_main_process
from mmengine.hooks import Hook
from mmengine.runner import Runner
from torch import distributed

from mmdrloc.checkpoints.saved import (
    INTERRUPTED,
    last_checkpoint,
    point_to,
    remove_interrupted,
)
from mmdrloc.registry import HOOKS
from mmdrloc.utils import signals
from mmdrloc.utils.batch_size import accumulative_counts, is_iter_based
from mmdrloc.utils.distributed import group_options
from mmdrloc.utils.errors import Interrupted


@HOOKS.register_module()
class InterruptHook(Hook):
    """Save and end the training after an iteration in which a signal came.

    The checkpoint is ``interrupted_iter_<n>.pth``; none is written where a
    regular one has just been. A training ends between two updates. In a
    validation, a single process ends at once if the weights are saved,
    otherwise after the validation; several end after the next iteration.
    """

    # After all that changes the state, and after the records.
    priority = 'LOWEST'

    def __init__(self) -> None:
        self._saved: Optional[int] = None
        self._group: Any = None

    def before_train(self, runner: Runner) -> None:
        """Join the other processes, on their CPUs."""
        if get_world_size() > 1:
            self._group = distributed.new_group(
                backend='gloo', **group_options(runner.cfg)
            )

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Note what can be resumed; the best checkpoints cannot."""
        if 'optimizer' in checkpoint:
            self._saved = checkpoint['meta']['iter']

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Let signals wait from now on."""
        signals.training_begins()

    def after_train_iter(
        self, runner: Runner, batch_idx: int, **_: Any
    ) -> None:
        """End here, unless the epoch does too."""
        if is_iter_based(runner) or not self.end_of_epoch(
            runner.train_dataloader, batch_idx
        ):
            self._end_if_told(runner, runner.epoch, runner.iter + 1)

    def after_train_epoch(self, runner: Runner) -> None:
        """End here, after the checkpoint of the epoch if there is one."""
        if not is_iter_based(runner):
            self._end_if_told(runner, runner.epoch + 1, runner.iter)

    def after_val_iter(self, runner: Runner, **_: Any) -> None:
        """End within a validation, if nothing needs to be saved."""
        # EMAHook has its own weights in the model now.
        if self._saved == runner.iter:
            self.after_val_epoch(runner)

    def after_val_epoch(self, runner: Runner, **_: Any) -> None:
        """End after a validation."""
        if self._group is None:
            self._end_if_told(runner, runner.epoch, runner.iter)

    def _end_if_told(self, runner: Runner, epoch: int, iteration: int) -> None:
        told = signals.received()
        if self._group is not None:
            flag = torch.tensor(told)
            distributed.all_reduce(flag, distributed.ReduceOp.MAX, self._group)
            told = int(flag)
        # Not between two parts of an update.
        counts = accumulative_counts(runner)
        if not told or (iteration % counts and iteration != runner.max_iters):
            return
        if self._saved != iteration:
            name = INTERRUPTED.format(iteration)
            meta = dict(epoch=epoch, iter=iteration)
            runner.save_checkpoint(
                runner.work_dir, name, meta=meta, by_epoch=False
            )
            if is_main_process():
                point_to(runner.work_dir, Path(runner.work_dir, name))
                remove_interrupted(runner.work_dir, but=name)
        if self._group is not None:
            distributed.barrier(self._group)  # while the first one writes
        raise Interrupted(
            told,
            signals.sentence(
                told,
                f' after iteration {iteration}, saved in '
                f'{last_checkpoint(runner.work_dir)}: run the same command '
                'to resume.',
            ),
        )
