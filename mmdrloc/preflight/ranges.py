"""Numbers that are impossible."""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, Dict, Iterator, List

from .kinds import shortened
from .places import Place

INFINITE = math.inf


@dataclass(frozen=True)
class Range:
    """What a number may be.

    Args:
        low (float): Not below this.
        high (float): Not above this. Defaults to infinity, which is none.
        above (bool): Whether `low` itself is too low. Defaults to False.
        below (bool): Whether `high` itself is too high. Defaults to False.
        whole (bool): Whether it has no fraction. Defaults to False.
    """

    low: float
    high: float = INFINITE
    above: bool = False
    below: bool = False
    whole: bool = False

    def allows(self, value: Any) -> bool:
        """Whether a value is such a number."""
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value):
            return False
        if self.whole and value != int(value):
            return False
        over = value > self.low or (value == self.low and not self.above)
        under = value < self.high or (value == self.high and not self.below)
        return over and under

    def __str__(self) -> str:
        noun = 'a whole number' if self.whole else 'a number'
        low = f'{"above" if self.above else "from"} {self.low:g}'
        if self.high == INFINITE:
            return f'{noun} {low}' + ('' if self.above else ' up')
        return f'{noun} {low} to {"below " * self.below}{self.high:.10g}'


POSITIVE = Range(0, above=True)
NOT_NEGATIVE = Range(0)
COUNT = Range(1, whole=True)
COUNT_OR_NONE = Range(0, whole=True)
SHARE = Range(0, 1)
SHARE_BELOW = Range(0, 1, below=True)
INSIDE = Range(0, 1, above=True, below=True)
FACTOR = Range(0, 1, above=True)

# By registry, what may be which number.
SETTINGS: Dict[str, Dict[Range, str]] = dict(
    OPTIMIZERS={
        POSITIVE: 'lr',
        NOT_NEGATIVE: 'weight_decay eps',
        SHARE_BELOW: 'momentum betas',
    },
    OPTIM_WRAPPERS={COUNT: 'accumulative_counts'},
    LOOPS={
        COUNT: 'max_epochs max_iters val_interval',
        COUNT_OR_NONE: 'val_begin',
    },
    LOADER={
        COUNT: 'batch_size prefetch_factor num_batch_per_epoch',
        COUNT_OR_NONE: 'num_workers',
        NOT_NEGATIVE: 'timeout',
    },
    PARAM_SCHEDULERS={
        COUNT: 'T_max end step_size total_steps',
        COUNT_OR_NONE: 'begin',
        POSITIVE: 'factor gamma',
        NOT_NEGATIVE: 'power eta_min eta_min_ratio',
        FACTOR: 'start_factor',
        SHARE: 'end_factor',
    },
    HOOKS={
        COUNT: 'interval max_keep_ckpts',
        COUNT_OR_NONE: 'patience save_begin begin_iter begin_epoch',
        INSIDE: 'momentum',
    },
    MODELS={
        COUNT: 'num_classes in_channels out_channels channels embed_dims '
        'hidden_channels num_layers num_heads num_pairs window_size '
        'patch_size img_size num_queries',
        Range(-1, whole=True): 'frozen_stages',
        SHARE: 'drop_rate attn_drop_rate dropout dropout_ratio drop_prob',
        SHARE_BELOW: 'drop_path_rate label_smooth_val',
        INSIDE: 'mask_ratio',
        NOT_NEGATIVE: 'loss_weight alpha',
    },
    BATCH_AUGMENTS={POSITIVE: 'alpha', SHARE: 'probs'},
    TRANSFORMS={
        SHARE: 'prob erase_prob',
        POSITIVE: 'scale size crop_size img_scale ratio_range',
    },
    METRICS={COUNT: 'topk'},
    LOG_PROCESSORS={COUNT: 'window_size'},
)
NUMBERS = {
    registry: {
        key: allowed
        for allowed, keys in ranges.items()
        for key in keys.split()
    }
    for registry, ranges in SETTINGS.items()
}
# Where -1 is for never and for all.
NEVER = ('interval', 'max_keep_ckpts', 'scale', 'img_scale', 'dropout_ratio')


def impossible_numbers(place: Place) -> List[str]:
    """Settings of one dict that no training can use."""
    ranges = NUMBERS.get(place.registry, {})
    findings = []
    for key, value in place.node.items():
        allowed = ranges.get(key)
        if allowed is None:
            findings += _not_a_number(place, key, value)
            continue
        for number in _numbers_in(value):
            is_never = key in NEVER and number == -1
            if not allowed.allows(number) and not is_never:
                findings.append(
                    f'{place.name}.{key} is {shortened(value)}: it must be '
                    f'{allowed}.'
                )
                break
    return findings


def _not_a_number(place: Place, key: str, value: Any) -> List[str]:
    """NaN is no setting, whatever the key."""
    numbers = (n for n in _numbers_in(value) if isinstance(n, float))
    if any(math.isnan(number) for number in numbers):
        return [f'{place.name}.{key} is {shortened(value)}: NaN is no number.']
    return []


def _numbers_in(value: Any) -> Iterator[Any]:
    """The numbers of a setting, and texts where they should be."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _numbers_in(item)
    elif isinstance(value, (str, Real)) and not isinstance(value, bool):
        yield value


def beyond(name: str, value: Any, allowed: Range) -> List[str]:
    """One setting against what it may be.

    Args:
        name (str): Its place.
        value (Any): Its value; None is left alone.
        allowed (Range): What it may be.
    """
    if value is None or allowed.allows(value):
        return []
    return [f'{name} is {shortened(value)}: it must be {allowed}.']
