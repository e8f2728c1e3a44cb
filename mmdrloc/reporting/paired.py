"""Differences of runs with the same seed, with a confidence interval."""

from statistics import mean, stdev
from typing import Collection, Dict, List, Sequence, Tuple

from scipy.special import stdtrit

from mmdrloc.utils.errors import UsageError, counted
from .runs import Run
from .tables import (
    WHICH,
    Metric,
    Numbers,
    by_config,
    by_task,
    code,
    course,
    differences,
    gains,
    markdown,
    metrics_of,
    so_far,
    spread,
    values,
)

CONFIDENCE = 0.95
# With fewer seeds there is no interval: the differences of two may be equal by
# chance. With fewer images one says little.
ENOUGH_SEEDS, ENOUGH_IMAGES = 3, 50


def interval(numbers: Collection[float]) -> Tuple[float, float]:
    """The confidence interval of a mean, as of paired differences.

    Student's t: mean ± t · s / √n, where t is the quantile of n - 1 degrees
    of freedom. It holds if the numbers, two at least, are drawn independently
    from one normal distribution.
    """
    # Not scipy.stats: its import takes a second.
    quantile = stdtrit(len(numbers) - 1, (1 + CONFIDENCE) / 2)
    half = float(quantile) * stdev(numbers) / len(numbers) ** 0.5
    return mean(numbers) - half, mean(numbers) + half


def paired_section(runs: Sequence[Run], baseline: str) -> str:
    """Compare configs with one of them: a Markdown table, how to read it.

    Raises:
        UsageError: If there is no run of the baseline, or of a config to
            compare with it.
    """
    finished = [run for run in runs if run.finished]
    groups = [g for g in by_task(finished) if baseline in by_config(g)]
    configs = by_config(groups[0]) if groups else {}
    reference = configs.pop(baseline, [])
    if not configs:
        raise UsageError(
            f'there is no run of {baseline}, or no other config with its data '
            f'and metrics: the configs are {", ".join(by_config(runs))}'
        )
    rows = []
    for config, others in configs.items():
        for metric in metrics_of(reference[0]):
            found = [gains(others, reference, metric, w) for w in WHICH]
            seeds = ', '.join(map(str, sorted(found[0])))
            cells = [_in_a_cell(one.values()) for one in found]
            rows.append([code(config), seeds, metric.title, *cells])
    table = markdown(['config', 'seeds', 'metric', *WHICH], rows)
    reading = (
        f'Mean difference to {code(baseline)} over the seeds that both have, '
        f'and its {100 * CONFIDENCE:.0f} % confidence interval (Student t, '
        'paired by seed). An interval that holds 0 does not tell the two '
        'apart.'
    )
    return '\n\n'.join([reading, table, *caveats(runs)])


def _in_a_cell(numbers: Collection[float]) -> str:
    if not numbers:
        return 'no seed in common'
    missing = _why_no_interval(numbers)
    if missing:
        return f'{mean(numbers):+.2f} ({missing}: no interval)'
    low, high = interval(numbers)
    return f'{mean(numbers):+.2f} [{low:+.2f}, {high:+.2f}]'


def _why_no_interval(numbers: Collection[float]) -> str:
    if len(numbers) < ENOUGH_SEEDS:
        return 'one seed' if len(numbers) == 1 else f'{len(numbers)} seeds'
    # As of few images: an interval of no width would claim certainty.
    return 'the same for each seed' if len({*numbers}) == 1 else ''


def in_a_sentence(
    what: str, runs: Sequence[Run], others: Sequence[Run]
) -> str:
    """Say how two kinds of training, told by ``what``, compare in the end.

    Only the seeds that both have count, one at least.
    """
    metric = metrics_of(runs[0])[0]
    ends = [values(group, metric, 'last') for group in (runs, others)]
    gained = differences(*ends)
    numbers = gained.values()
    one, other = (mean(end[seed] for seed in gained) for end in ends)
    sentence = f'{what}: {metric.title} {one:.1f} against {other:.1f}'
    missing = _why_no_interval(numbers)
    if missing:
        each = ' each' * (len(numbers) < ENOUGH_SEEDS)
        return (
            f'{sentence}, {mean(numbers):+.1f}; {missing}{each}, which shows '
            'nothing for certain.'
        )
    low, high = interval(numbers)
    outcome = 'no difference shown'
    if low > 0 or high < 0:
        outcome = 'higher' if low > 0 else 'lower'
    return (
        f'{sentence}, {mean(numbers):+.1f} '
        f'({100 * CONFIDENCE:.0f} % confidence interval {low:+.1f} to '
        f'{high:+.1f}, {len(numbers)} seeds): {outcome}.'
    )


def summary(runs: Sequence[Run], baseline: str) -> str:
    """Say for a console how configs compare with one of them in the end."""
    configs = by_config(runs)
    reference = configs[baseline]
    metric = metrics_of(reference[0])[0]
    lines = [
        in_a_sentence(f'{config} against {baseline}', group, reference)
        for config, group in configs.items()
        if config != baseline and group[0].finished
    ]
    lines += [caveat.replace('**', '') for caveat in caveats(runs)]
    width = max(map(len, configs))
    lines += ['', f'  {"":<{width}}  {metric.title}']
    for config, group in configs.items():
        numbers = spread(values(group, metric, 'last'))
        lines.append(f'  {config:<{width}}  {numbers}')
    return '\n'.join(lines)


def caveats(runs: Sequence[Run]) -> List[str]:
    """Say which runs count for nothing, and what results rest on too little.

    Where one config has seeds enough, the others' lack is told beside them.
    """
    seeds = max(
        len({run.seed for run in group}) for group in by_config(runs).values()
    )
    images = min(run.result['dataset']['val_images'] or 0 for run in runs)
    few, enough = [], []
    if seeds < ENOUGH_SEEDS:
        few.append(counted(seeds, 'seed'))
        enough.append(f'{ENOUGH_SEEDS} seeds')
    if images < ENOUGH_IMAGES:
        few.append(counted(images, 'validation image'))
        enough.append(f'{ENOUGH_IMAGES} images')
    sentences = [
        f'**Only {" and ".join(few)}: this says little**, whatever the '
        f'intervals. Take {" and ".join(enough)} or more.'
    ] * bool(few)
    unfinished = [
        f'{code(run.identity.title)} on {run.dataset}, seed {run.seed} '
        f'({so_far(run)})'
        for run in runs
        if not run.finished
    ]
    if unfinished:
        told = '; '.join(unfinished)
        sentences.append(f'Unfinished, so compared with nothing: {told}.')
    return sentences


def gain_by_iteration(
    runs: Sequence[Run], baseline: Sequence[Run], metric: Metric
) -> Dict[int, Numbers]:
    """The differences of two configs, paired by seed.

    In the table's unit, by the iterations after which both were validated.
    """
    ours, theirs = (
        course(one, metric.key, metric.factor) for one in (runs, baseline)
    )
    found = {n: differences(ours[n], theirs.get(n, {})) for n in ours}
    return {n: gained for n, gained in found.items() if gained}
