"""Mixup in one epoch, CutMix in the next."""

from typing import Sequence

from mmengine.hooks import Hook
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model

from mmdrloc.models.batch_augments import BATCH_AUGMENTS
from mmdrloc.registry import HOOKS
from mmdrloc.utils.errors import UsageError


@HOOKS.register_module()
class AlternatingAugmentsHook(Hook):
    """Gives each epoch one batch augmentation, in turn.

    IDMM fine-tunes so: Mixup in epochs 0, 2, 4, ..., CutMix in between.
    Which one it is depends on the epoch alone.

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
        """Check that the model leaves the choice to this hook."""
        self.preprocessor = get_ori_model(runner.model).data_preprocessor
        if self.preprocessor.batch_augments is not None:
            raise UsageError(
                'AlternatingAugmentsHook replaces the augmentations of '
                'model.train_cfg: set model.train_cfg=None.'
            )
        self.preprocessor.batch_augments = self.augments[0]

    def before_train_epoch(self, runner: Runner) -> None:
        """Take the next one."""
        turn = runner.epoch % len(self.augments)
        self.preprocessor.batch_augments = self.augments[turn]
