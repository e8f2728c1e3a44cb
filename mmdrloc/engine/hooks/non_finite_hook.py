"""Stop where a loss, weights or the scores of classes are not finite."""

from typing import Any, Dict, List, Sequence

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

    It reads losses and weights every ``interval`` iterations, at the end of
    an epoch and before each checkpoint: no other iteration waits for the
    device. Of a classifier that is validated or tested it reads the scores,
    which finite weights can make infinite too.

    Args:
        interval (int): Iterations between two looks. Defaults to 50.
    """

    # Before hooks that save or remove checkpoints.
    priority = 'HIGHEST'

    def __init__(self, interval: int = 50) -> None:
        self.interval = interval
        #: That of the last iteration; none outside of a training.
        self.losses: List[Tensor] = []

    def after_train_iter(
        self, runner: Runner, outputs: Dict[str, Any], **_: Any
    ) -> None:
        """Note the loss; check every ``interval`` iterations."""
        self.losses = [outputs['loss'].detach()]
        if self.every_n_train_iters(runner, self.interval):
            self._look(runner, runner.iter + 1)

    def after_train_epoch(self, runner: Runner) -> None:
        """Check before the checkpoint of an epoch."""
        self._look(runner, runner.iter)

    def after_val_iter(
        self, runner: Runner, outputs: Sequence[Any] = (), **_: Any
    ) -> None:
        """Check the scores: of NaN the first class would be the answer."""
        scores = [
            one.pred_score for one in outputs if hasattr(one, 'pred_score')
        ]
        if scores and not torch.stack(scores).isfinite().all():
            raise UsageError(
                'the scores of the classes are not finite: the training went '
                'wrong. Train again with a lower learning rate '
                '(optim_wrapper.optimizer.lr), or look at the images.'
            )

    after_test_iter = after_val_iter

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Check what is about to be saved, in the process that saves."""
        self._look(runner, checkpoint['meta']['iter'], together=False)

    def _look(
        self, runner: Runner, iteration: int, together: bool = True
    ) -> None:
        if not self.losses:
            return
        model = get_ori_model(runner.model)
        # Batch norm's statistics keep what overflowed in a step that AMP
        # leaves out. Other buffers may be infinite, such as masks.
        statistics = [
            buffer
            for name, buffer in model.named_buffers()
            if name.endswith(('running_mean', 'running_var'))
        ]
        weights = [*model.parameters(), *statistics]
        with torch.no_grad():
            norms = [
                torch.stack([tensor.norm().float() for tensor in tensors])
                for tensors in (self.losses, weights)
            ]
        found = torch.stack([n.isfinite().all() for n in norms]).int()
        if together:
            all_reduce(found, 'min')
        is_loss, is_weights = found.tolist()
        if not (is_loss and is_weights):
            what = 'the weights are' if is_loss else 'the loss is'
            raise UsageError(
                f'training stopped: {what} not finite in iteration '
                f'{iteration} of {runner.max_iters}; earlier checkpoints are '
                'intact. Lower the learning rate '
                '(optim_wrapper.optimizer.lr), or look at the images.'
            )
