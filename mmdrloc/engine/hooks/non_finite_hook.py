"""Stop a training whose loss or weights are not finite."""

from typing import Any, Dict

import torch
from mmengine.dist import all_reduce
from mmengine.hooks import Hook
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model
from torch import Tensor

from mmdrloc.registry import HOOKS
from mmdrloc.utils.errors import UsageError

# A loss scale that keeps falling: no step has finite gradients.
SMALLEST_LOSS_SCALE = 2.0**-20


@HOOKS.register_module()
class NonFiniteHook(Hook):
    """Stop at a loss or a weight that is not finite, before it is saved.

    Each iteration notes on the device whether its loss is finite. The note
    and the weights, which a bad gradient spoils, are read every ``interval``
    iterations, before each checkpoint and validation, and at the end: no
    other iteration waits for the device. Earlier checkpoints stay.

    Args:
        interval (int): Iterations between two looks. Defaults to 50.

    Raises:
        UsageError: With the first iteration whose loss was not finite.
    """

    # Before whatever saves or removes checkpoints.
    priority = 'HIGHEST'

    def __init__(self, interval: int = 50) -> None:
        self.interval = interval
        self.training = False

    def before_train(self, runner: Runner) -> None:
        """Begin."""
        parameters = get_ori_model(runner.model).parameters()
        self.weights = [p for p in parameters if p.is_floating_point()]
        self.never = torch.tensor(float('inf'), device=self.weights[0].device)
        self.first = self.never
        self.training = True

    def after_train_iter(
        self, runner: Runner, outputs: Dict[str, Tensor], **_: Any
    ) -> None:
        """Note the loss; look at all where it is time."""
        iteration = torch.full_like(self.never, runner.iter + 1)
        good = outputs['loss'].detach().isfinite()
        self.first = self.first.minimum(self.never.where(good, iteration))
        if self.every_n_train_iters(
            runner, self.interval
        ) or self.is_last_train_iter(runner):
            self._look(runner, runner.iter + 1)

    def after_train_epoch(self, runner: Runner) -> None:
        """Look before the checkpoint of an epoch."""
        self._look(runner, runner.iter)

    def before_val(self, runner: Runner) -> None:
        """Look before anything is measured."""
        self._look(runner, runner.iter)

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Look at what is about to be saved, which one process does."""
        self._look(runner, checkpoint['meta']['iter'], together=False)

    def after_train(self, runner: Runner) -> None:
        """End."""
        self.training = False

    def _look(
        self, runner: Runner, iteration: int, together: bool = True
    ) -> None:
        if not self.training:
            return
        norms = torch.stack([p.detach().norm() for p in self.weights])
        found = torch.stack([self.first, norms.float().isfinite().all()])
        if together:
            all_reduce(found, 'min')
        first, weights_are_finite = found.tolist()
        what = f'loss in iteration {first:.0f} of {runner.max_iters} is'
        if first == float('inf'):
            # In mixed precision such gradients update nothing.
            scaler = getattr(runner.optim_wrapper, 'loss_scaler', None)
            scale = scaler.get_scale() if scaler is not None else 1.0
            if weights_are_finite and scale >= SMALLEST_LOSS_SCALE:
                return
            of = 'gradients' if weights_are_finite else 'weights'
            what = f'{of} in iteration {iteration} are'
        self.training = False
        raise UsageError(
            f'training stopped: the {what} not finite; earlier checkpoints '
            'are intact. Lower the learning rate '
            '(optim_wrapper.optimizer.lr), or look at the images.'
        )
