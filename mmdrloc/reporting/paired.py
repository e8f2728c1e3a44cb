"""Differences of runs with the same seed, with a confidence interval."""

from math import sqrt
from statistics import mean, stdev
from typing import Sequence

from scipy.stats import t as student_t

from mmdrloc.errors import UsageError
from .markup import code
from .runs import Run
from .tables import (
    by_config,
    by_task,
    markdown,
    metrics_of,
    paired_differences,
    values,
)

CONFIDENCE = 0.95


def half_width(differences: Sequence[float]) -> float:
    """Half the confidence interval of a mean difference.

    The interval of Student's t for paired samples: mean ± t · s / √n, where
    t is the quantile of n - 1 degrees of freedom. It holds if the
    differences are drawn independently from one normal distribution.

    Args:
        differences (Sequence[float]): At least two.

    Returns:
        float: In the unit of the differences.
    """
    n = len(differences)
    quantile = student_t.ppf((1 + CONFIDENCE) / 2, df=n - 1)
    return float(quantile) * stdev(differences) / sqrt(n)


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
    group = next(
        (group for group in by_task(runs) if baseline in by_config(group)),
        None,
    )
    if group is None:
        raise UsageError(
            f'there is no run of {baseline} to compare with: the configs '
            f'are {", ".join(by_config(runs))}'
        )
    configs = by_config(group)
    reference = configs.pop(baseline)
    if not configs:
        raise UsageError(
            f'no other config has the data and the metrics of {baseline}: '
            'there is nothing to compare it with'
        )
    header = ['config', 'seeds', 'metric', 'last', 'best']
    rows = []
    for config, others in configs.items():
        seeds = {run.seed for run in reference} & {run.seed for run in others}
        for metric in metrics_of(group[0]):
            differences = (
                paired_differences(others, reference, metric, which)
                for which in ('last', 'best')
            )
            rows.append(
                [
                    code(config),
                    ', '.join(map(str, sorted(seeds))),
                    metric.title,
                    *map(_with_interval, differences),
                ]
            )
    return (
        f'Mean difference to {code(baseline)} over the seeds that both have, '
        f'and its {100 * CONFIDENCE:.0f} % confidence interval (Student t, '
        'paired by seed). An interval that holds 0 does not tell the two '
        'apart.\n\n' + markdown(header, rows)
    )


def in_a_sentence(
    what: str, runs: Sequence[Run], others: Sequence[Run]
) -> str:
    """Say how two kinds of training compare, and what follows.

    Args:
        what (str): The two of them in words.
        runs (Sequence[Run]): One a seed.
        others (Sequence[Run]): Of the same seeds, data and metrics.

    Returns:
        str: Their first metric, after the last update.
    """
    metric = metrics_of(runs[0])[0]
    ours, theirs = (
        mean(values(group, metric, 'last')) for group in (runs, others)
    )
    sentence = f'{what}: {metric.title} {ours:.1f} against {theirs:.1f}'
    differences = paired_differences(runs, others, metric, 'last')
    if len(differences) < 2:
        return f'{sentence}; one seed each, which shows nothing for certain.'
    centre, half = mean(differences), half_width(differences)
    low, high = centre - half, centre + half
    verdict = 'which holds 0: no difference was shown'
    if low > 0 or high < 0:
        verdict = 'which does not hold 0'
    return (
        f'{sentence}; the {100 * CONFIDENCE:.0f} % interval of the '
        f'difference over {len(differences)} seeds is [{low:+.1f}, '
        f'{high:+.1f}], {verdict}.'
    )


def _with_interval(differences: Sequence[float]) -> str:
    if not differences:
        return 'no seed in common'
    if len(differences) == 1:
        return f'{differences[0]:+.2f} (one seed: no interval)'
    centre, half = mean(differences), half_width(differences)
    return f'{centre:+.2f} [{centre - half:+.2f}, {centre + half:+.2f}]'
