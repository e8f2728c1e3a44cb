"""A training that is told to end does so after the step, with a checkpoint."""

from pathlib import Path
from typing import Any

import torch
from mmengine.dist import get_world_size, is_main_process
from mmengine.hooks import CheckpointHook as MMEngineCheckpointHook
from mmengine.hooks import Hook
from mmengine.runner import Runner
from torch import distributed

from mmdrloc.checkpoints.saved import INTERRUPTED, point_to, remove_interrupted
from mmdrloc.registry import HOOKS
from mmdrloc.utils.batch_size import accumulative_counts, is_iter_based
from mmdrloc.utils.connections import group_options, notice_lost_machines
from mmdrloc.utils.errors import Interrupted
from mmdrloc.utils.signals import WATCH, ended_by, sentence
from .checkpoint_hook import CheckpointHook


@HOOKS.register_module()
class InterruptHook(Hook):
    """End the training where a signal was noted, so that it can go on.

    The checkpoint is that of the iteration, ``interrupted_iter_<n>.pth``,
    whose ``meta`` counts completed epochs and iterations; no other is written
    where a regular one has just been. A training ends between two updates.
    In a validation, a single process ends at once if the checkpoint of this
    iteration stands, otherwise after the validation.

    Several processes agree without waiting for a device: each passes on what
    it knows after every step, on the CPUs, and all look at what was passed
    on after the step before.
    """

    # After all that changes the state, and after the records.
    priority = 'LOWEST'

    def before_train(self, runner: Runner) -> None:
        """Find who saves, and join the other processes."""
        self._signum = 0
        self._saver = next(
            (h for h in runner.hooks if isinstance(h, MMEngineCheckpointHook)),
            None,
        )
        if self._saver and not isinstance(self._saver, CheckpointHook):
            runner.logger.warning(
                f'{type(self._saver).__name__} may remove old checkpoints '
                'before the new one is written: derive it from '
                'mmdrloc.CheckpointHook to have one at every moment.'
            )
        self._group: Any = None
        self._passed_on: Any = None
        if get_world_size() > 1:
            self._group = distributed.new_group(
                backend='gloo', **group_options(runner.cfg)
            )
            notice_lost_machines()

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Note that signals wait from now on."""
        WATCH.step_begins()

    def after_train_iter(
        self, runner: Runner, batch_idx: int, **_: Any
    ) -> None:
        """End here, if a signal was noted and an update is complete."""
        self._signum = self._signum or self._agreed()
        if not self._signum or self._ends_epoch(runner, batch_idx):
            return
        if _between_updates(runner, runner.iter + 1):
            self._end(runner, runner.epoch, runner.iter + 1)

    def after_train_epoch(self, runner: Runner) -> None:
        """End here, if that was to be in the epoch's last step."""
        if self._signum and _between_updates(runner, runner.iter):
            self._end(runner, runner.epoch + 1, runner.iter)

    def after_val_iter(self, runner: Runner, **_: Any) -> None:
        """End within a validation, if nothing needs to be saved."""
        # A hook that averages weights has its own in the model now.
        if self._alone(runner) and self._is_saved(runner.iter):
            self._end(runner, runner.epoch, runner.iter)

    def after_val_epoch(self, runner: Runner, **_: Any) -> None:
        """End after a validation; several processes do after the next step."""
        if self._alone(runner):
            self._end(runner, runner.epoch, runner.iter)

    def after_train(self, runner: Runner) -> None:
        """Receive what is on its way.

        Args:
            runner (Runner): At its end.
        """
        self._receive()

    def _receive(self) -> int:
        """What was passed on; a process that ends before that may abort."""
        if self._passed_on is None:
            return 0
        work, flag = self._passed_on
        work.wait()
        return int(flag)

    def _alone(self, runner: Runner) -> bool:
        """Whether the only process was told to end, and may."""
        if not WATCH.received or get_world_size() > 1:
            return False
        self._signum = WATCH.received
        return _between_updates(runner, runner.iter)

    def _agreed(self) -> int:
        """The signal that any process knew of one step ago, or 0."""
        if self._group is None:
            return WATCH.received
        earlier = self._receive()
        flag = torch.tensor(WATCH.received)
        work = distributed.all_reduce(
            flag, distributed.ReduceOp.MAX, self._group, async_op=True
        )
        self._passed_on = work, flag
        return earlier

    def _ends_epoch(self, runner: Runner, batch_idx: int) -> bool:
        return not is_iter_based(runner) and self.end_of_epoch(
            runner.train_dataloader, batch_idx
        )

    def _is_saved(self, iteration: int) -> bool:
        return getattr(self._saver, 'saved_iter', None) == iteration

    def _end(self, runner: Runner, epoch: int, iteration: int) -> None:
        if self._is_saved(iteration):
            path = self._saver.last_ckpt
        else:
            path = self._save(runner, epoch, iteration)
        WATCH.over()
        if self._group is not None:  # nobody leaves while the first one writes
            self._receive()
            distributed.barrier(self._group)
        raise Interrupted(
            self._signum,
            sentence(
                f'{ended_by(self._signum)} after iteration {iteration}, '
                f'saved in {path}: the same command with --resume goes on.'
            ),
        )

    def _save(self, runner: Runner, epoch: int, iteration: int) -> Path:
        folder = getattr(self._saver, 'out_dir', runner.work_dir)
        name = INTERRUPTED.format(iteration)
        runner.save_checkpoint(
            folder,
            name,
            meta=dict(epoch=epoch, iter=iteration),
            by_epoch=False,
        )
        path = Path(folder, name)
        if is_main_process():
            point_to(runner.work_dir, path)
            remove_interrupted(folder, but=name)
        return path


def _between_updates(runner: Runner, done: int) -> bool:
    """Whether no gradients are accumulated, which no checkpoint holds."""
    counts = accumulative_counts(runner)
    return done % counts == 0 or done == runner.max_iters
