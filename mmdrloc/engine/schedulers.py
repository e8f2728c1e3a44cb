"""The official code's learning rate over the updates."""

import math
from typing import Any, List

from mmengine.optim import OptimWrapper, _ParamScheduler

from mmdrloc.registry import PARAM_SCHEDULERS


@PARAM_SCHEDULERS.register_module()
class WarmupOverCosineLR(_ParamScheduler):
    """Linear warm-up that hides the beginning of a cosine.

    The cosine runs from step 0, so the factor drops where the warm-up ends:
    timm's ``CosineLRScheduler`` without ``warmup_prefix``, as the official
    code has it.

    Args:
        optimizer (OptimWrapper): The optimizer.
        warmup (float): Steps of the warm-up.
        total (float): Steps of the schedule; a training may end before.
        start_factor (float): Factor of the learning rate at step 0.
        end_factor (float): Factor of the learning rate from ``total`` on.
        **kwargs: As in MMEngine's schedulers.
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
        self.warmup, self.total = warmup, total
        self.start_factor, self.end_factor = start_factor, end_factor
        super().__init__(optimizer, 'lr', **kwargs)

    @classmethod
    def build_iter_from_epoch(
        cls, *, epoch_length: int, by_epoch: bool = True, **places: Any
    ) -> 'WarmupOverCosineLR':
        """Build one that counts updates from lengths in epochs."""
        for name in ('warmup', 'total'):
            places[name] *= epoch_length
        for name in ('begin', 'end'):
            places[name] = int(places.get(name, 0) * epoch_length)
        return cls(by_epoch=False, **places)

    def _get_value(self) -> List[float]:
        step, start, end = self.last_step, self.start_factor, self.end_factor
        if step < self.warmup:
            factor = start + (1 - start) * step / self.warmup
        else:
            cosine = (1 + math.cos(math.pi * min(step / self.total, 1))) / 2
            factor = end + (1 - end) * cosine
        return [value * factor for value in self.base_values]
