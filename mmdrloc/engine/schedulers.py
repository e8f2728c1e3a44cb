"""The official code's learning rate over the updates."""

import math
from typing import Any, Dict, List

from mmengine.optim import OptimWrapper, _ParamScheduler

from mmdrloc.registry import PARAM_SCHEDULERS
from mmdrloc.utils.errors import UsageError


def warmup_over_cosine(
    step: int,
    warmup: float,
    total: float,
    start_factor: float,
    end_factor: float,
) -> float:
    """Factor of the learning rate: a line, then the rest of a cosine.

    The cosine runs from step 0, so where the warm-up ends it has already
    fallen: at the step ``warmup`` the factor drops from nearly 1 to the
    cosine's value. (timm's ``CosineLRScheduler`` without
    ``warmup_prefix``, which the official code uses.)

    Args:
        step (int): Counted from 0.
        warmup (float): Steps of the line.
        total (float): Step at which the cosine is at its end.
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

    See :func:`warmup_over_cosine`; ``LinearLR`` and ``CosineAnnealingLR`` one
    after the other would start the cosine where the warm-up ends.

    Args:
        optimizer (OptimWrapper): Whose learning rate is set.
        warmup (float): Steps of the warm-up.
        total (float): Steps of the schedule; it may be left before its end.
        start_factor (float): Of the learning rate at step 0.
        end_factor (float): Of the learning rate at the end.
        **kwargs: As in MMEngine's schedulers.

    Raises:
        UsageError: If the warm-up is longer than the schedule.
    """

    def __init__(
        self,
        optimizer: OptimWrapper,
        warmup: float,
        total: float,
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
        warmup: float,
        total: float,
        begin: float = 0,
        end: float,
        epoch_length: int,
        by_epoch: bool = True,
        **kwargs: Any,
    ) -> 'WarmupOverCosineLR':
        """Build one that counts updates from lengths in epochs."""
        assert by_epoch, 'epochs can only be converted if they are given'
        return cls(
            warmup=warmup * epoch_length,
            total=total * epoch_length,
            begin=int(begin * epoch_length),
            end=int(end * epoch_length),
            by_epoch=False,
            **kwargs,
        )

    def _get_value(self) -> List[float]:
        factor = warmup_over_cosine(self.last_step, **self.shape)
        return [value * factor for value in self.base_values]
