"""Differences of runs with the same seed, with a confidence interval."""

import warnings
from collections import defaultdict
from statistics import mean
from typing import Dict, List, Sequence, Tuple

from scipy.stats import ttest_1samp

from mmdrloc.utils.errors import UsageError
from .runs import Run
from .tables import (
    Metric,
    by_config,
    by_task,
    code,
    markdown,
    metrics_of,
    paired_differences,
    values,
)

CONFIDENCE = 0.95
# With fewer of them an interval says little.
ENOUGH_SEEDS, ENOUGH_IMAGES = 3, 50


def interval(numbers: Sequence[float]) -> Tuple[float, float]:
    """The confidence interval of a mean, as of paired differences.

    Student's t: mean ± t · s / √n, where t is the quantile of n - 1 degrees
    of freedom. It holds if the numbers are drawn independently from one
    normal distribution.

    Args:
        numbers (Sequence[float]): At least two.

    Returns:
        tuple[float, float]: Its ends.
    """
    with warnings.catch_warnings():
        # Of equal numbers: that t itself, which is not shown, is not exact.
        warnings.simplefilter('ignore', RuntimeWarning)
        return tuple(ttest_1samp(numbers, 0).confidence_interval(CONFIDENCE))


def paired_section(runs: Sequence[Run], baseline: str) -> str:
    """Compare configs with one of them, seed by seed.

    Args:
        runs (Sequence[Run]): Of all configs.
        baseline (str): Name of the config that the others with the same
            data and metrics are compared to.

    Returns:
        str: A Markdown table and how to read it.

    Raises:
        UsageError: If there is no run of the baseline, or of a config to
            compare with it.
    """
    groups = [g for g in by_task(runs) if baseline in by_config(g)]
    if not groups:
        raise UsageError(
            f'there is no run of {baseline} to compare with: the configs '
            f'are {", ".join(by_config(runs))}'
        )
    configs = by_config(groups[0])
    reference = configs.pop(baseline)
    if not configs:
        raise UsageError(
            f'no other config has the data and the metrics of {baseline}: '
            'there is nothing to compare it with'
        )
    rows = []
    for config, others in configs.items():
        seeds = {run.seed for run in reference} & {run.seed for run in others}
        for metric in metrics_of(reference[0]):
            differences = (
                paired_differences(others, reference, metric, which)
                for which in ('last', 'best')
            )
            cells = [code(config), ', '.join(map(str, sorted(seeds)))]
            rows.append([*cells, metric.title, *map(_in_a_cell, differences)])
    table = markdown(['config', 'seeds', 'metric', 'last', 'best'], rows)
    reading = (
        f'Mean difference to {code(baseline)} over the seeds that both have, '
        f'and its {100 * CONFIDENCE:.0f} % confidence interval (Student t, '
        'paired by seed). An interval that holds 0 does not tell the two '
        'apart.'
    )
    return '\n\n'.join([reading, table, *caveats(runs)])


def _in_a_cell(differences: Sequence[float]) -> str:
    if not differences:
        return 'no seed in common'
    if len(differences) == 1:
        return f'{differences[0]:+.2f} (one seed: no interval)'
    low, high = interval(differences)
    return f'{mean(differences):+.2f} [{low:+.2f}, {high:+.2f}]'


def in_a_sentence(
    what: str, runs: Sequence[Run], others: Sequence[Run]
) -> str:
    """Say how two kinds of training compare, and what follows.

    Args:
        what (str): The two of them in words.
        runs (Sequence[Run]): One a seed.
        others (Sequence[Run]): Of the same seeds, data and metrics.

    Returns:
        str: Their first metric, after the last iteration.
    """
    metric = metrics_of(runs[0])[0]
    ours, theirs = (
        mean(values(group, metric, 'last')) for group in (runs, others)
    )
    sentence = f'{what}: {metric.title} {ours:.1f} against {theirs:.1f}'
    differences = paired_differences(runs, others, metric, 'last')
    if len(differences) < 2:
        return f'{sentence}; one seed each, which shows nothing for certain.'
    low, high = interval(differences)
    outcome = 'no difference shown'
    if low > 0 or high < 0:
        outcome = 'higher' if low > 0 else 'lower'
    return (
        f'{sentence}, {mean(differences):+.1f} '
        f'({100 * CONFIDENCE:.0f} % confidence interval {low:+.1f} to '
        f'{high:+.1f}, {len(differences)} seeds): {outcome}.'
    )


def caveats(runs: Sequence[Run]) -> List[str]:
    """Say in one sentence, or none, where results rest on too little."""
    causes = []
    seeds = min(
        len({run.seed for run in group}) for group in by_config(runs).values()
    )
    if seeds < ENOUGH_SEEDS:
        causes.append('1 seed' if seeds == 1 else f'{seeds} seeds')
    images = min(run.result['dataset']['val_images'] or 0 for run in runs)
    if images < ENOUGH_IMAGES:
        causes.append(f'{images} validation images')
    if not causes:
        return []
    return [
        f'**Only {" and ".join(causes)}: this says little**, whatever the '
        f'intervals. Take {ENOUGH_SEEDS} seeds and {ENOUGH_IMAGES} images '
        'or more.'
    ]


def gain_by_iteration(
    runs: Sequence[Run], baseline: Sequence[Run], metric: Metric
) -> Dict[int, List[float]]:
    """The paired differences in the course of training.

    Args:
        runs (Sequence[Run]): Of one config.
        baseline (Sequence[Run]): Of the config that it is compared to.
        metric (Metric): Of both.

    Returns:
        dict[int, list[float]]: In the table's unit, by the iterations after
        which both runs of a seed were validated.
    """

    def course(run: Run) -> Dict[int, float]:
        return {
            one.iteration: metric.factor * one.metrics[metric.key]
            for one in run.validations
            if metric.key in one.metrics
        }

    partners = {run.seed: course(run) for run in baseline}
    gains = defaultdict(list)
    for run in runs:
        theirs = partners.get(run.seed, {})
        for iteration, value in course(run).items():
            if iteration in theirs:
                gains[iteration].append(value - theirs[iteration])
    return dict(gains)
