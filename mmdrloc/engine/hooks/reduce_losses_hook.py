"""The losses in the log are those of the whole batch."""

from typing import Any, Dict

from mmengine.dist import all_reduce_dict
from mmengine.hooks import Hook
from mmengine.runner import Runner
from torch import Tensor

from mmdrloc.registry import HOOKS


@HOOKS.register_module()
class ReduceLossesHook(Hook):
    """Average what a step logs over all processes.

    MMEngine logs the first process's part of the batch. One small message an
    iteration; nothing waits for the device.
    """

    # Before RuntimeInfoHook, which takes them into the log.
    priority = 'HIGHEST'

    def after_train_iter(
        self, runner: Runner, outputs: Dict[str, Tensor], **_: Any
    ) -> None:
        """Replace each value by its mean; all processes have the same names.

        Args:
            runner (Runner): The runner.
            outputs (dict[str, Tensor]): The losses, changed in place.
            **_: Not looked at.
        """
        all_reduce_dict(outputs, op='mean')
