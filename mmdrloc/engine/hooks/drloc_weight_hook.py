"""The weight of the DRLoc loss over the epochs."""

import math
from typing import Any, Optional

from mmengine.hooks import Hook
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model

from mmdrloc.models import DRLocHead
from mmdrloc.models.arguments import check_choice
from mmdrloc.registry import HOOKS
from mmdrloc.utils.batch_size import is_iter_based, iterations_per_epoch
from mmdrloc.utils.errors import UsageError


def constant(epoch: int, warmup_epochs: int, total_epochs: int) -> float:
    """The paper's schedule: lambda as it is."""
    return 1.0


def warmup_decay(epoch: int, warmup_epochs: int, total_epochs: int) -> float:
    """The official code's: linear from 0 to 1, then linear to 0.

    Args:
        epoch (int): Counted from 0.
        warmup_epochs (int): Epoch of the full weight.
        total_epochs (int): Epoch of weight 0, if it is ever reached.

    Returns:
        float: Factor of lambda in this epoch.
    """
    if epoch <= warmup_epochs:
        return epoch / warmup_epochs
    return max(total_epochs - epoch, 0) / (total_epochs - warmup_epochs)


SCHEDULES = dict(constant=constant, warmup_decay=warmup_decay)


@HOOKS.register_module()
class DRLocWeightHook(Hook):
    """Schedules lambda by epochs.

    The factor depends on nothing but the epoch, so a resumed run goes on
    where it stopped. Each step logs it as ``drloc_weight``. Where training
    is counted in iterations, an epoch is as many as see each image once.

    Args:
        schedule (str): 'constant' or 'warmup_decay'.
            Defaults to 'warmup_decay'.
        warmup_epochs (int): Epochs until the full weight. Defaults to 20.
        total_epochs (int, optional): Epoch at which the weight is back at 0;
            it may lie beyond the last epoch that is run (the official
            default runs 101 of 300). By default the epochs that are run.

    Raises:
        UsageError: If the schedule is unknown, its warm-up outlasts it, or
            the model has no DRLoc head.
    """

    def __init__(
        self,
        schedule: str = 'warmup_decay',
        warmup_epochs: int = 20,
        total_epochs: Optional[int] = None,
    ) -> None:
        check_choice('schedule', schedule, tuple(SCHEDULES))
        if warmup_epochs < 1:
            raise UsageError(f'warmup_epochs={warmup_epochs} is below 1')
        self.schedule = SCHEDULES[schedule]
        self.warmup_epochs = warmup_epochs
        self.total_epochs = total_epochs

    def before_train(self, runner: Runner) -> None:
        """Find the head, before anything is trained."""
        model = get_ori_model(runner.model)
        self._heads = [
            module
            for module in model.modules()
            if isinstance(module, DRLocHead)
        ]
        if not self._heads:
            raise UsageError(
                'DRLocWeightHook: the model has no DRLoc head '
                'whose weight it could schedule; remove the hook'
            )
        if self.total_epochs is None:
            self.total_epochs = _total_epochs(runner)
        if self.total_epochs <= self.warmup_epochs:
            raise UsageError(
                f'DRLocWeightHook: {self.total_epochs} epochs in all leave '
                f'nothing after warmup_epochs={self.warmup_epochs}'
            )

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Set the weight of this epoch."""
        factor = self.schedule(
            _epoch(runner), self.warmup_epochs, self.total_epochs
        )
        for head in self._heads:
            head.weight_factor = factor


def _epoch(runner: Runner) -> int:
    """The epoch that is being trained, from 0."""
    if is_iter_based(runner):
        return runner.iter // iterations_per_epoch(runner)
    return runner.epoch


def _total_epochs(runner: Runner) -> int:
    if is_iter_based(runner):
        return math.ceil(runner.max_iters / iterations_per_epoch(runner))
    return runner.max_epochs
