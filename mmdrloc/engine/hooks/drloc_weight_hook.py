"""The weight of the DRLoc loss over the epochs."""

import math
from typing import Any, Optional

from mmengine.hooks import Hook
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model

from mmdrloc.models import DRLocHead
from mmdrloc.models.arguments import check_choice
from mmdrloc.registry import HOOKS
from mmdrloc.utils.batch_size import epoch_of, iterations_per_epoch
from mmdrloc.utils.errors import UsageError


def warmup_decay(epoch: int, warmup_epochs: int, total_epochs: int) -> float:
    """Factor of lambda in an epoch, from 0: linear up to 1, then down to 0.

    The official code's schedule; ``total_epochs`` is the epoch of factor 0.
    """
    if epoch <= warmup_epochs:
        return epoch / warmup_epochs
    return max(total_epochs - epoch, 0) / (total_epochs - warmup_epochs)


@HOOKS.register_module()
class DRLocWeightHook(Hook):
    """Schedules lambda by epochs; the paper's, a constant, needs no hook.

    The factor depends on the epoch alone, as many iterations as see each
    image once. Each step logs the weight as ``drloc_weight``.

    Args:
        schedule (str): 'warmup_decay', see :func:`warmup_decay`.
        warmup_epochs (int): Epochs until the full weight. Defaults to 20.
        total_epochs (int, optional): Epoch at which the weight is back at 0;
            it may lie beyond the last epoch that is run (the official
            default runs 101 of 300). By default the epochs that are run.
    """

    def __init__(
        self,
        schedule: str = 'warmup_decay',
        warmup_epochs: int = 20,
        total_epochs: Optional[int] = None,
    ) -> None:
        check_choice('schedule', schedule, ('warmup_decay',))
        self.warmup_epochs = warmup_epochs
        self.total_epochs = total_epochs

    def before_train(self, runner: Runner) -> None:
        """Find the head, before anything is trained."""
        modules = get_ori_model(runner.model).modules()
        self._heads = [m for m in modules if isinstance(m, DRLocHead)]
        if not self._heads:
            raise UsageError(
                'DRLocWeightHook: the model has no DRLoc head, remove the hook'
            )
        epochs = math.ceil(runner.max_iters / iterations_per_epoch(runner))
        self.total_epochs = self.total_epochs or epochs
        if not 0 < self.warmup_epochs < self.total_epochs:
            raise UsageError(
                f'DRLocWeightHook: warmup_epochs={self.warmup_epochs} must be '
                f'above 0 and below total_epochs={self.total_epochs}: set '
                'them, or train for more epochs.'
            )

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Set the weight of this epoch."""
        factor = warmup_decay(
            epoch_of(runner), self.warmup_epochs, self.total_epochs
        )
        for head in self._heads:
            head.weight_factor = factor
