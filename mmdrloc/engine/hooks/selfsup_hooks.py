"""Hooks that IDMM's and DINO's training recipes need."""

from typing import Any, Sequence

from mmengine.hooks import Hook
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model
from torch.nn.utils import clip_grad_norm_
from torch.optim import Optimizer

from mmdrloc.models.batch_augments import BATCH_AUGMENTS
from mmdrloc.preflight.dry_run import loops_of
from mmdrloc.registry import HOOKS
from mmdrloc.utils.batch_size import accumulative_counts, epoch_of
from mmdrloc.utils.errors import UsageError


@HOOKS.register_module()
class AlternatingAugmentsHook(Hook):
    """Applies one batch augmentation in each epoch, in turn.

    IDMM fine-tunes so: Mixup in epochs 0, 2, 4, ..., CutMix in between. The
    choice depends on the epoch alone.

    Args:
        augments (Sequence[dict]): Configs of mmpretrain's or our batch
            augmentations.

    Raises:
        UsageError: If the model has augmentations of its own.
    """

    # Before the preflight, which looks at what the augmentations need.
    priority = 'HIGHEST'

    def __init__(self, augments: Sequence[dict]) -> None:
        self.augments = [BATCH_AUGMENTS.build(config) for config in augments]

    def before_run(self, runner: Runner) -> None:
        """Before a training, check that the model leaves the choice."""
        if 'train' not in loops_of(runner):
            return
        self.preprocessor = get_ori_model(runner.model).data_preprocessor
        if self.preprocessor.batch_augments is not None:
            raise UsageError(
                'AlternatingAugmentsHook needs model.train_cfg=None.'
            )
        self.preprocessor.batch_augments = self.augments[0]
        # Built without any, it would give them no scores, and call none.
        self.preprocessor.to_onehot = True

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Take that of the epoch."""
        turn = epoch_of(runner) % len(self.augments)
        self.preprocessor.batch_augments = self.augments[turn]


@HOOKS.register_module()
class DINOGradientsHook(Hook):
    """Clips each parameter's gradient on its own, and spares the prototypes.

    ``OptimWrapper(clip_grad=...)`` clips the norm of all gradients together.
    Both happen in the optimizer's step, where the gradients are averaged
    over the processes and scaled back from AMP.

    Args:
        max_norm (float): Greatest norm of a parameter's gradient. Defaults
            to 3.0.
        frozen_epochs (int): First epochs in which :class:`DINONeck`'s
            prototypes stay as they are. Defaults to 1.

    Raises:
        UsageError: If gradients are accumulated over several batches.
    """

    def __init__(self, max_norm: float = 3.0, frozen_epochs: int = 1) -> None:
        self.max_norm = max_norm
        self.frozen_epochs = frozen_epochs

    def before_train(self, runner: Runner) -> None:
        """Register with the optimizer."""
        if accumulative_counts(runner) > 1:
            raise UsageError(
                "DINO's teacher moves with each batch: set "
                'optim_wrapper.accumulative_counts=1.'
            )
        model = get_ori_model(runner.model)

        def change_gradients(optimizer: Optimizer, *_: Any) -> None:
            if epoch_of(runner) < self.frozen_epochs:
                model.neck.prototypes.grad = None
            for group in optimizer.param_groups:
                for parameter in group['params']:
                    clip_grad_norm_(parameter, self.max_norm)

        runner.optim_wrapper.optimizer.register_step_pre_hook(change_gradients)
