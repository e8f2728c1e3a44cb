"""Differences of runs with the same seed, with a confidence interval."""

from collections import defaultdict
from statistics import mean, stdev
from typing import Dict, List, Sequence, Tuple

from scipy.stats import t as student

from mmdrloc.utils.errors import UsageError
from .runs import Run
from .tables import (
    Metric,
    by_config,
    by_task,
    code,
    course,
    markdown,
    metrics_of,
    paired_differences,
    spread,
    values,
)

CONFIDENCE = 0.95
# With fewer seeds there is no interval: the differences of two may be equal by
# chance. With fewer images one says little.
ENOUGH_SEEDS, ENOUGH_IMAGES = 3, 50


def interval(numbers: Sequence[float]) -> Tuple[float, float]:
    """The confidence interval of a mean, as of paired differences.

    Student's t: mean ± t · s / √n, where t is the quantile of n - 1 degrees
    of freedom. It holds if the numbers, two at least, are drawn independently
    from one normal distribution.
    """
    quantile = student.ppf((1 + CONFIDENCE) / 2, len(numbers) - 1)
    half = float(quantile) * stdev(numbers) / len(numbers) ** 0.5
    return mean(numbers) - half, mean(numbers) + half


def paired_section(runs: Sequence[Run], baseline: str) -> str:
    """Compare configs with one of them: a Markdown table, how to read it.

    Raises:
        UsageError: If there is no run of the baseline, or of a config to
            compare with it.
    """
    groups = [g for g in by_task(runs) if baseline in by_config(g)]
    configs = by_config(groups[0]) if groups else {}
    reference = configs.pop(baseline, [])
    if not configs:
        raise UsageError(
            f'there is no run of {baseline}, or no other config with its data '
            f'and metrics: the configs are {", ".join(by_config(runs))}'
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
    if len(differences) < ENOUGH_SEEDS:
        return f'{mean(differences):+.2f} ({_count(differences)}: no interval)'
    low, high = interval(differences)
    return f'{mean(differences):+.2f} [{low:+.2f}, {high:+.2f}]'


def in_a_sentence(
    what: str, runs: Sequence[Run], others: Sequence[Run]
) -> str:
    """Say how two kinds of training, told by ``what``, compare in the end.

    Only the seeds that both have count, one at least.
    """
    metric = metrics_of(runs[0])[0]
    seeds = {run.seed for run in runs} & {run.seed for run in others}
    ours, theirs = (
        mean(values([r for r in group if r.seed in seeds], metric, 'last'))
        for group in (runs, others)
    )
    sentence = f'{what}: {metric.title} {ours:.1f} against {theirs:.1f}'
    differences = paired_differences(runs, others, metric, 'last')
    if len(differences) < ENOUGH_SEEDS:
        return (
            f'{sentence}, {mean(differences):+.1f}; {_count(differences)} '
            'each, which shows nothing for certain.'
        )
    low, high = interval(differences)
    outcome = 'no difference shown'
    if low > 0 or high < 0:
        outcome = 'higher' if low > 0 else 'lower'
    return (
        f'{sentence}, {mean(differences):+.1f} '
        f'({100 * CONFIDENCE:.0f} % confidence interval {low:+.1f} to '
        f'{high:+.1f}, {len(differences)} seeds): {outcome}.'
    )


def _count(differences: Sequence[float]) -> str:
    number = len(differences)
    return 'one seed' if number == 1 else f'{number} seeds'


def summary(runs: Sequence[Run], baseline: str) -> str:
    """Say for a console how configs compare with one of them in the end.

    Returns:
        str: A sentence for each config, then means and deviations.
    """
    configs = by_config(runs)
    reference = configs[baseline]
    metric = metrics_of(reference[0])[0]
    lines = [
        in_a_sentence(f'{config} against {baseline}', group, reference)
        for config, group in configs.items()
        if config != baseline
    ]
    width = max(map(len, configs))
    lines += ['', f'  {"":<{width}}  {metric.title}']
    for config, group in configs.items():
        numbers = spread(values(group, metric, 'last'))
        lines.append(f'  {config:<{width}}  {numbers}')
    return '\n'.join(lines)


def caveats(runs: Sequence[Run]) -> List[str]:
    """Say in one sentence, or none, that results rest on too little.

    Where one config has seeds enough, the others' lack is told beside them.
    """
    seeds = max(
        len({run.seed for run in group}) for group in by_config(runs).values()
    )
    images = min(run.result['dataset']['val_images'] or 0 for run in runs)
    few = [f'{seeds} seed{"s" * (seeds > 1)}'] * (seeds < ENOUGH_SEEDS)
    few += [f'{images} validation images'] * (images < ENOUGH_IMAGES)
    sentence = (
        f'**Only {" and ".join(few)}: this says little**, whatever the '
        f'intervals. Take {ENOUGH_SEEDS} seeds and {ENOUGH_IMAGES} images '
        'or more.'
    )
    return [sentence] if few else []


def gain_by_iteration(
    runs: Sequence[Run], baseline: Sequence[Run], metric: Metric
) -> Dict[int, List[float]]:
    """The differences of runs of two configs, paired by seed.

    In the table's unit, by the iterations after which both were validated.
    """
    gains = defaultdict(list)
    courses = {run.seed: course(run, metric) for run in baseline}
    for run in runs:
        theirs = courses.get(run.seed, {})
        for iteration, value in course(run, metric).items():
            if iteration in theirs:
                gains[iteration].append(value - theirs[iteration])
    return dict(gains)
