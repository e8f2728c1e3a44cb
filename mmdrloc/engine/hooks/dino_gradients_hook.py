"""What DINO's authors do to the gradients before an update."""

from typing import Any

from mmengine.hooks import Hook
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model
from torch.nn.utils import clip_grad_norm_
from torch.optim import Optimizer

from mmdrloc.registry import HOOKS


@HOOKS.register_module()
class DINOGradientsHook(Hook):
    """Clips each parameter's gradient on its own, and spares the prototypes.

    ``OptimWrapper(clip_grad=...)`` clips the norm of all gradients together.
    Both happen in the optimizer's step, where the gradients are averaged
    over the processes and scaled back from AMP.

    Args:
        max_norm (float): Of one parameter's gradient. Defaults to 3.0.
        frozen_epochs (int): First epochs in which :class:`DINONeck`'s
            prototypes stay as they are. Defaults to 1.
    """

    def __init__(self, max_norm: float = 3.0, frozen_epochs: int = 1) -> None:
        self.max_norm = max_norm
        self.frozen_epochs = frozen_epochs

    def before_train(self, runner: Runner) -> None:
        """Register with the optimizer."""
        model = get_ori_model(runner.model)

        def change_gradients(optimizer: Optimizer, *_: Any) -> None:
            if runner.epoch < self.frozen_epochs:
                model.neck.prototypes.grad = None
            for group in optimizer.param_groups:
                for parameter in group['params']:
                    clip_grad_norm_(parameter, self.max_norm)

        runner.optim_wrapper.optimizer.register_step_pre_hook(change_gradients)
