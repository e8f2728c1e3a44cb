"""The losses in the log are those of the whole batch."""

from typing import Dict, Optional

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
        self,
        runner: Runner,
        batch_idx: int,
        data_batch: Optional[dict] = None,
        outputs: Optional[Dict[str, Tensor]] = None,
    ) -> None:
        """Replace each value by its mean.

        Args:
            runner (Runner): The runner.
            batch_idx (int): Index of the batch.
            data_batch (dict, optional): What the loader gave.
            outputs (dict[str, Tensor], optional): The losses, changed in
                place; the same names on all processes.
        """
        if outputs:
            all_reduce_dict(outputs, op='mean')
