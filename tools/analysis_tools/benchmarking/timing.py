"""Interleaved timing: what disturbs one contender disturbs the others too."""

import time
from statistics import quantiles
from types import MappingProxyType
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Sequence

import torch
from rich.progress import track

Seconds = Dict[str, List[float]]


class Setting(NamedTuple):
    """How a mode measures.

    Args:
        batch_size (int): Images a step.
        rounds (int): Calls of each contender that count.
        device (torch.device): Where to compute.
        amp (bool): As ``--amp`` of tools/train.py. Defaults to False.
    """

    batch_size: int
    rounds: int
    device: torch.device
    amp: bool = False

    def told(self) -> Dict[str, Any]:
        """As findings tell it."""
        return dict(self._asdict(), device=str(self.device))


class Spread(NamedTuple):
    """Median and quartiles.

    Args:
        low (float): The first quartile.
        median (float): The second.
        high (float): The third.
    """

    low: float
    median: float
    high: float

    def text(self, factor: float = 1.0, digits: int = 2) -> str:
        """Such as '1.05 (1.01 to 1.10)', times the factor to another unit."""
        low, median, high = (f'{factor * v:.{digits}f}' for v in self)
        return f'{median} ({low} to {high})'


def spread(values: Sequence[float]) -> Spread:
    """Of one value or more; quartiles by linear interpolation."""
    if len(values) == 1:
        return Spread(*[values[0]] * 3)
    return Spread(*quantiles(values, n=4, method='inclusive'))


def ratios(numerator: Sequence[float], denominator: Sequence[float]) -> Spread:
    """Of the ratios round by round, of which each has one value."""
    return spread([a / b for a, b in zip(numerator, denominator)])


def time_interleaved(
    contenders: Mapping[str, Callable[[], Any]],
    rounds: int,
    device: torch.device,
    title: str = 'rounds',
    before: Mapping[str, Callable[[], Any]] = MappingProxyType({}),
) -> Seconds:
    """Call each contender once a round, after one call that is not counted.

    The first of a round changes from round to round.

    Args:
        contenders (Mapping[str, Callable]): By name.
        rounds (int): At least one.
        device (torch.device): Where they compute. On a GPU the clock is read
            when its work is done.
        title (str): What the progress bar says. Defaults to 'rounds'.
        before (Mapping[str, Callable]): What precedes the calls of some, and
            is not timed.

    Returns:
        dict[str, list[float]]: Seconds by contender, one a round.
    """
    names = list(contenders)
    seconds: Seconds = {name: [] for name in names}
    for number in track(range(-1, rounds), title, transient=True):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            if name in before:
                before[name]()
            _wait_for(device)
            start = time.perf_counter()
            contenders[name]()
            _wait_for(device)
            if number >= 0:
                seconds[name].append(time.perf_counter() - start)
    return seconds


def _wait_for(device: torch.device) -> None:
    if device.type == 'cuda':
        torch.cuda.synchronize(device)
