"""MMEngine's train loops, continued exactly where a run was interrupted.

What a step sees and draws follows from the seed and the iteration
(:mod:`.data_order`). A checkpoint of ``epoch`` complete epochs and ``iter``
complete iterations may lie anywhere in an epoch.
"""

from itertools import islice
from typing import Any, Iterable, Iterator, Optional

from mmengine.dist import get_rank
from mmengine.runner import BaseLoop, EpochBasedTrainLoop, IterBasedTrainLoop
from torch import nn

from .data_order import ResumableBatchSampler, seed_sample, seed_step
from .run_folder.resume_hook import share_statistics

# The key under which a checkpoint has the iteration of the last validation:
# a validation that is due together with a checkpoint comes after it is saved.
VALIDATED = 'last_validation'


class _ResumableLoop(BaseLoop):
    """What both loops share; stands before one of MMEngine's classes."""

    #: Iteration at which the present epoch began; None between two epochs.
    epoch_began: Optional[int] = None

    def run_iter(self, *args: Any) -> None:
        """Train a step whose random numbers depend on its iteration alone."""
        seed_step(self.runner.seed, get_rank(), self._iter)
        super().run_iter(*args)

    def _batches(self, turn: int, done: int, source: Iterable) -> Iterator:
        """Give the batches of a pass over the data that are not done yet.

        Without our batch sampler, the others are loaded again and dropped.
        """
        # A resumed run may have taken its seed from the checkpoint.
        seed = self.runner.data_seed
        # Some samplers draw their order from the process's generators, in
        # the same way in all processes.
        seed_sample(seed, turn)
        sampler = self.dataloader.batch_sampler
        if not isinstance(sampler, ResumableBatchSampler):
            return islice(source, done, None)
        sampler.begin(turn, done, seed)
        return iter(self.dataloader)

    def _validate(self, done: int, end: int) -> None:
        """Validate if a validation is due and has not been done."""
        self._decide_current_val_interval()
        hub = self.runner.message_hub
        if (
            self.runner.val_loop is not None
            and done >= self.val_begin
            and (done % self.val_interval == 0 or done == end)
            and hub.get_info(VALIDATED, 0) != self._iter
        ):
            share_statistics(self.runner)
            self.runner.val_loop.run()
            hub.update_info(VALIDATED, self._iter)


class ResumableEpochLoop(_ResumableLoop, EpochBasedTrainLoop):
    """Trains epochs; see :class:`EpochBasedTrainLoop`."""

    def run(self) -> nn.Module:
        """Launch training."""
        self.runner.call_hook('before_train')
        if self._iter > 0 and self.epoch_began is None:
            self._validate(self._epoch, self._max_epochs)
        while self._epoch < self._max_epochs and not self.stop_training:
            self.run_epoch()
            self._validate(self._epoch, self._max_epochs)
        self.runner.call_hook('after_train')
        return self.runner.model

    def run_epoch(self) -> None:
        """Train an epoch, or what is left of it."""
        if self.epoch_began is None:
            self.epoch_began = self._iter
        done = self._iter - self.epoch_began
        self.runner.call_hook('before_train_epoch')
        self.runner.model.train()
        batches = self._batches(self._epoch, done, self.dataloader)
        for index, batch in enumerate(batches, done):
            self.run_iter(index, batch)
        self.runner.call_hook('after_train_epoch')
        self._epoch += 1
        self.epoch_began = None


class ResumableIterLoop(_ResumableLoop, IterBasedTrainLoop):
    """Trains iterations; see :class:`IterBasedTrainLoop`."""

    def run(self) -> nn.Module:
        """Launch training."""
        self.runner.call_hook('before_train')
        # As in MMEngine, all iterations are one epoch to the hooks.
        self.runner.call_hook('before_train_epoch')
        if self._iter > 0:
            self._validate(self._iter, self._max_iters)
        # Nothing keeps MMEngine's own iterator, which may have workers.
        self.dataloader_iterator = self._batches(
            0, self._iter, self.dataloader_iterator
        )
        while self._iter < self._max_iters and not self.stop_training:
            self.runner.model.train()
            self.run_iter(next(self.dataloader_iterator))
            self._validate(self._iter, self._max_iters)
        self.runner.call_hook('after_train_epoch')
        self.runner.call_hook('after_train')
        return self.runner.model
