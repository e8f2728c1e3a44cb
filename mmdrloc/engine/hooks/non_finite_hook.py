"""Stop a training whose loss or weights are not finite."""

from typing import Any, Dict, Optional

import torch
from mmengine.dist import all_reduce
from mmengine.hooks import Hook
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model
from torch import Tensor

from mmdrloc.registry import HOOKS
from mmdrloc.utils.errors import UsageError


@HOOKS.register_module()
class NonFiniteHook(Hook):
    """Stops at a loss or a weight that is not finite, before it is saved.

    It reads loss and weights every ``interval`` iterations, at the end of an
    epoch and before each checkpoint: no other iteration waits for the device.

    Args:
        interval (int): Iterations between two looks. Defaults to 50.
    """

    # Before hooks that save or remove checkpoints.
    priority = 'HIGHEST'

    def __init__(self, interval: int = 50) -> None:
        self.interval = interval
        #: Of the last iteration; None outside of a training.
        self.loss: Optional[Tensor] = None

    def after_train_iter(
        self, runner: Runner, outputs: Dict[str, Tensor], **_: Any
    ) -> None:
        """Note the loss; check every ``interval`` iterations."""
        self.loss = outputs['loss'].detach()
        if self.every_n_train_iters(runner, self.interval):
            self._look(runner, runner.iter + 1)

    def after_train_epoch(self, runner: Runner) -> None:
        """Check before the checkpoint of an epoch."""
        self._look(runner, runner.iter)

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Check what is about to be saved, in the process that saves."""
        self._look(runner, checkpoint['meta']['iter'], together=False)

    def _look(
        self, runner: Runner, iteration: int, together: bool = True
    ) -> None:
        if self.loss is None:
            return
        parameters = get_ori_model(runner.model).parameters()
        norms = [p.detach().norm().float() for p in parameters]
        finite = torch.stack([self.loss.float(), *norms]).isfinite()
        found = torch.stack([finite[0], finite[1:].all()]).int()
        if together:
            all_reduce(found, 'min')
        is_loss, is_weights = found.tolist()
        if not (is_loss and is_weights):
            self.loss = None
            what = 'the weights are' if is_loss else 'the loss is'
            raise UsageError(
                f'training stopped: {what} not finite in iteration '
                f'{iteration} of {runner.max_iters}; earlier checkpoints are '
                'intact. Lower the learning rate '
                '(optim_wrapper.optimizer.lr), or look at the images.'
            )
