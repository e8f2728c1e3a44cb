"""Metrics of runs by seed."""

from statistics import mean, stdev
from typing import (
    Any,
    Collection,
    Dict,
    Iterable,
    List,
    NamedTuple,
    Sequence,
)

from .runs import RunResult

# A number for each seed.
Numbers = Dict[int, float]
# Of a run: after the last iteration, and the best of all validations.
WHICH = ('last', 'best')


class Metric(NamedTuple):
    """The evaluator's name, the table's, and what makes it a percentage.

    Tables show it with so many ``digits``, sentences with one less.
    """

    key: str
    title: str
    factor: float = 100.0
    digits: int = 2


TOP1 = Metric('accuracy/top1', 'top-1 accuracy (%)', 1.0)
METRICS = (
    TOP1,
    Metric('coco/bbox_mAP', 'box AP (%)'),
    Metric('coco/bbox_mAP_50', 'box AP50 (%)'),
    Metric('coco/segm_mAP', 'mask AP (%)'),
    Metric('mIoU', 'mIoU (%)', 1.0),
    Metric('reconstruction/loss', 'reconstruction loss', 1.0, 4),
)
# Shown where they are published.
IN_PRINT = (
    Metric('coco/bbox_mAP_75', 'box AP75 (%)'),
    Metric('coco/segm_mAP_50', 'mask AP50 (%)'),
    Metric('coco/segm_mAP_75', 'mask AP75 (%)'),
    Metric('mAcc', 'mAcc (%)', 1.0),
)


def metrics_of(run: RunResult) -> List[Metric]:
    """The metrics of a run that tables show."""
    return metrics_among(run.result['last'])


def metrics_among(names: Collection[str]) -> List[Metric]:
    """Those that tables show; others only if there are no more."""
    known = [metric for metric in METRICS if metric.key in names]
    return known or [Metric(name, name, 1.0, 4) for name in names]


def by_key(pairs: Iterable[tuple]) -> Dict[Any, List[Any]]:
    """Group (key, item) pairs by their keys, in the order given."""
    groups: Dict[Any, List[Any]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    return groups


def by_config(runs: Sequence[RunResult]) -> Dict[str, List[RunResult]]:
    """Runs of each config, in the order given."""
    return by_key((run.config, run) for run in runs)


def by_task(runs: Sequence[RunResult]) -> List[List[RunResult]]:
    """Runs that belong together: same data to judge by, same metrics."""

    def task_of(run: RunResult) -> tuple:
        data = run.result['dataset']
        judged = data['val_images'], data['classes'], data.get('files')
        return run.dataset, run.identity.dataset, *judged, *metrics_of(run)

    return [*by_key((task_of(run), run) for run in runs).values()]


def by_seed(found: Iterable[tuple]) -> Numbers:
    """Numbers by their seeds; of a seed with several their mean."""
    return {seed: mean(numbers) for seed, numbers in by_key(found).items()}


def values(runs: Sequence[RunResult], metric: Metric, which: str) -> Numbers:
    """A metric of the runs of one config, in the table's unit."""
    return by_seed(
        (run.seed, metric.factor * run.result[which][metric.key]['value'])
        for run in runs
    )


def differences(ours: Numbers, theirs: Numbers) -> Numbers:
    """Differences of what two configs have with the same seed."""
    return {seed: ours[seed] - theirs[seed] for seed in ours if seed in theirs}


def course(
    runs: Sequence[RunResult],
    key: str,
    factor: float = 1.0,
    unit: str = 'iter',
) -> Dict[int, Numbers]:
    """A metric of one config, or its skill, at all validations."""
    found = by_key(
        (one[unit], (run.seed, factor * {**one, **one['metrics']}[key]))
        for run in runs
        for one in run.result['validations']
        if key in one or key in one['metrics']
    )
    return {step: by_seed(pairs) for step, pairs in found.items()}


def mean_std(by_seeds: Numbers, digits: int = 2) -> str:
    """Mean and, of several, sample standard deviation: '95.13 ± 0.42'."""
    numbers = by_seeds.values()
    if not numbers:
        return ''
    text = f'{mean(numbers):.{digits}f}'
    if len(numbers) == 1:
        return text
    return f'{text} ± {stdev(numbers):.{digits}f}'
