"""The official code's learning rate over the updates."""

import math
from typing import Any, Dict, List

from mmengine.optim import OptimWrapper, _ParamScheduler

from mmdrloc.registry import PARAM_SCHEDULERS
from mmdrloc.utils.errors import UsageError


def warmup_over_cosine(
    step: int, warmup: int, total: int, start_factor: float, end_factor: float
) -> float:
    """Factor of the learning rate: a line, then the rest of a cosine.

    The cosine runs from step 0, so where the warm-up ends it has already
    fallen: at the step ``warmup`` the factor drops from nearly 1 to the
    cosine's value. (timm's ``CosineLRScheduler`` without
    ``warmup_prefix``, which the official code uses.)

    Args:
        step (int): Counted from 0.
        warmup (int): Steps of the line.
        total (int): Step at which the cosine is at its end.
        start_factor (float): The line's value at step 0.
        end_factor (float): The cosine's value at and after ``total``.

    Returns:
        float: The factor.
    """
    if step < warmup:
        return start_factor + (1 - start_factor) * step / warmup
    cosine = (1 + math.cos(math.pi * min(step / total, 1))) / 2
    return end_factor + (1 - end_factor) * cosine


@PARAM_SCHEDULERS.register_module()
class WarmupOverCosineLR(_ParamScheduler):
    """Linear warm-up that hides the beginning of a cosine.

    ``LinearLR`` and ``CosineAnnealingLR`` one after the other start the
    cosine where the warm-up ends; this one starts it at step 0, see
    :func:`warmup_over_cosine`.

    Args:
        optimizer (OptimWrapper): Whose learning rate is set.
        warmup (int): Steps of the warm-up.
        total (int): Steps of the schedule; it may be left before its end.
        start_factor (float): Of the learning rate at step 0.
        end_factor (float): Of the learning rate at the end.
        **kwargs: As in MMEngine's schedulers: ``begin``, ``end``,
            ``by_epoch`` and others.

    Raises:
        UsageError: If the warm-up is longer than the schedule.
    """

    def __init__(
        self,
        optimizer: OptimWrapper,
        warmup: int,
        total: int,
        start_factor: float,
        end_factor: float,
        **kwargs: Any,
    ) -> None:
        if warmup >= total:
            raise UsageError(
                f'WarmupOverCosineLR: warmup={warmup} leaves nothing of '
                f'total={total}'
            )
        self.shape: Dict[str, Any] = dict(
            warmup=warmup,
            total=total,
            start_factor=start_factor,
            end_factor=end_factor,
        )
        super().__init__(optimizer, 'lr', **kwargs)

    @classmethod
    def build_iter_from_epoch(
        cls,
        *,
        warmup: int,
        total: int,
        begin: int = 0,
        end: int,
        epoch_length: int,
        by_epoch: bool = True,
        **kwargs: Any,
    ) -> 'WarmupOverCosineLR':
        """Build one that counts updates from a config that counts epochs.

        Args:
            warmup (int): Epochs of the warm-up.
            total (int): Epochs of the schedule.
            begin (int): First epoch. Defaults to 0.
            end (int): Epoch after the last one.
            epoch_length (int): Updates an epoch.
            by_epoch (bool): What the config says. Defaults to True.
            **kwargs: As in the constructor.

        Returns:
            WarmupOverCosineLR: The scheduler.
        """
        assert by_epoch, 'epochs can only be converted if they are given'
        return cls(
            warmup=warmup * epoch_length,
            total=total * epoch_length,
            begin=begin * epoch_length,
            end=end * epoch_length,
            by_epoch=False,
            **kwargs,
        )

    def _get_value(self) -> List[float]:
        """Rates of the parameter groups at this step."""
        factor = warmup_over_cosine(self.last_step, **self.shape)
        return [value * factor for value in self.base_values]
