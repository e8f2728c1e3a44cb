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

OPTIMIZER = dict(
    lr=POSITIVE,
    weight_decay=NOT_NEGATIVE,
    momentum=SHARE_BELOW,
    betas=SHARE_BELOW,
    eps=NOT_NEGATIVE,
)
LOOP = dict(
    max_epochs=COUNT,
    max_iters=COUNT,
    val_interval=COUNT,
    val_begin=COUNT_OR_NONE,
)
LOADER = dict(
    batch_size=COUNT,
    num_workers=COUNT_OR_NONE,
    prefetch_factor=COUNT,
    num_batch_per_epoch=COUNT,
    timeout=NOT_NEGATIVE,
)
SCHEDULER = dict(
    T_max=COUNT,
    begin=COUNT_OR_NONE,
    end=COUNT,
    start_factor=FACTOR,
    end_factor=SHARE,
    factor=POSITIVE,
    gamma=POSITIVE,
    power=NOT_NEGATIVE,
    eta_min=NOT_NEGATIVE,
    eta_min_ratio=NOT_NEGATIVE,
    step_size=COUNT,
    total_steps=COUNT,
)
HOOK = dict(
    interval=COUNT,
    patience=COUNT_OR_NONE,
    max_keep_ckpts=COUNT,
    save_begin=COUNT_OR_NONE,
    begin_iter=COUNT_OR_NONE,
    begin_epoch=COUNT_OR_NONE,
    momentum=INSIDE,
)
MODEL = dict(
    num_classes=COUNT,
    in_channels=COUNT,
    out_channels=COUNT,
    channels=COUNT,
    embed_dims=COUNT,
    hidden_channels=COUNT,
    num_layers=COUNT,
    num_heads=COUNT,
    num_pairs=COUNT,
    window_size=COUNT,
    patch_size=COUNT,
    img_size=COUNT,
    num_queries=COUNT,
    frozen_stages=Range(-1, whole=True),
    drop_rate=SHARE,
    attn_drop_rate=SHARE,
    drop_path_rate=SHARE_BELOW,
    dropout=SHARE,
    dropout_ratio=SHARE,
    drop_prob=SHARE,
    loss_weight=NOT_NEGATIVE,
    label_smooth_val=SHARE_BELOW,
    alpha=NOT_NEGATIVE,
    mask_ratio=INSIDE,
)
TRANSFORM = dict(
    prob=SHARE,
    erase_prob=SHARE,
    scale=POSITIVE,
    size=POSITIVE,
    crop_size=POSITIVE,
    img_scale=POSITIVE,
    ratio_range=POSITIVE,
)
NUMBERS: Dict[str, Dict[str, Range]] = dict(
    OPTIMIZERS=OPTIMIZER,
    LOOPS=LOOP,
    LOADER=LOADER,
    PARAM_SCHEDULERS=SCHEDULER,
    HOOKS=HOOK,
    MODELS=MODEL,
    BATCH_AUGMENTS=dict(alpha=POSITIVE, probs=SHARE),
    TRANSFORMS=TRANSFORM,
    OPTIM_WRAPPERS=dict(accumulative_counts=COUNT),
    METRICS=dict(topk=COUNT),
    LOG_PROCESSORS=dict(window_size=COUNT),
)
# Where -1 is for never and for all.
NEVER = ('interval', 'max_keep_ckpts', 'scale', 'img_scale', 'dropout_ratio')


def impossible_numbers(place: Place) -> List[str]:
    """Settings of one dict that no training can use.

    Args:
        place (Place): A dict of the config.

    Returns:
        List[str]: One sentence each.
    """
    ranges = NUMBERS.get(place.registry, {})
    findings = []
    for key, value in place.node.items():
        allowed = ranges.get(key)
        if allowed is None:
            findings += _not_a_number(place, key, value)
            continue
        for number in _numbers_in(value, key):
            if not allowed.allows(number) and not _means_none(key, number):
                findings.append(
                    f'{place.name}.{key} is {shortened(value)}: it must be '
                    f'{allowed}.'
                )
                break
    return findings


def _not_a_number(place: Place, key: str, value: Any) -> List[str]:
    """NaN is no setting, whatever the key."""
    numbers = (n for n in _numbers_in(value, key) if isinstance(n, float))
    if any(math.isnan(number) for number in numbers):
        return [f'{place.name}.{key} is {shortened(value)}: NaN is no number.']
    return []


def _means_none(key: str, value: Any) -> bool:
    return key in NEVER and value == -1


def _numbers_in(value: Any, key: str) -> Iterator[Any]:
    """The numbers of a setting, and texts where they should be."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _numbers_in(item, key)
    elif isinstance(value, (str, Real)) and not isinstance(value, bool):
        yield value


def beyond(name: str, value: Any, allowed: Range) -> List[str]:
    """One setting against what it may be.

    Args:
        name (str): Its place.
        value (Any): Its value; None is left alone.
        allowed (Range): What it may be.

    Returns:
        List[str]: One sentence, or none.
    """
    if value is None or allowed.allows(value):
        return []
    return [f'{name} is {shortened(value)}: it must be {allowed}.']
