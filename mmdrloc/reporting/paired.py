"""Differences of runs with the same seed, with a confidence interval."""

from statistics import mean, stdev
from typing import Collection, Dict, List, Optional, Sequence, Tuple

import numpy as np
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
    grouped,
    markdown,
    metrics_of,
    so_far,
    spread,
    values,
)

CONFIDENCE = 0.95
TOP1 = 'accuracy/top1'
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


def interval_over_images(differences: np.ndarray) -> Tuple[float, float]:
    """The confidence interval of a mean over seeds and images.

    Both are drawn anew: the differences are of crossed random effects, seeds
    and images. SE² = s²(means of seeds) / S + s²(means of images) / N -
    s²(residuals) / (S N), as in section 3 of Owen, "The pigeonhole
    bootstrap", Annals of Applied Statistics 2007, for a full table. What
    images add counts as 0 where it is below. Student's t has S - 1 degrees of
    freedom as in :func:`interval`, which makes it rather too wide.

    Args:
        differences (np.ndarray): Of S seeds and N images, (S, N), at least
            two of each.
    """
    seeds, images = differences.shape
    of_seeds = differences.mean(1, keepdims=True)
    of_images = differences.mean(0, keepdims=True)
    center = differences.mean()
    residuals = differences - of_seeds - of_images + center
    residual = (residuals**2).sum() / (seeds - 1) / (images - 1)
    added = of_images.var(ddof=1) / images - residual / seeds / images
    error = (of_seeds.var(ddof=1) / seeds + max(added, 0)) ** 0.5
    half = float(stdtrit(seeds - 1, (1 + CONFIDENCE) / 2) * error)
    return float(center) - half, float(center) + half


def _gain_over_images(
    runs: Sequence[Run], others: Sequence[Run]
) -> Optional[Tuple[float, float]]:
    """The interval of a difference in top-1 accuracy, in per cent.

    None where it is not recorded which images were classified rightly.
    """
    if metrics_of(runs[0])[0].key != TOP1:
        return None
    ours, theirs = (
        grouped((run.seed, run.correct) for run in group)
        for group in (runs, others)
    )
    seeds = [seed for seed in ours if seed in theirs]
    answers = [one for s in seeds for one in ours[s] + theirs[s]]
    if len({None if one is None else len(one) for one in answers}) > 1 or (
        answers[0] is None
    ):
        return None
    means = [np.mean(ours[s], 0) - np.mean(theirs[s], 0) for s in seeds]
    return interval_over_images(100 * np.array(means))


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
            ends = None
            if metric.key == TOP1 and not _why_no_interval(found[0].values()):
                ends = _gain_over_images(others, reference)
            wider = f'[{ends[0]:+.2f}, {ends[1]:+.2f}]' if ends else ''
            cells.insert(1, wider)
            rows.append([code(config), seeds, metric.title, *cells])
    header = ['config', 'seeds', 'metric', 'last', 'over images', 'best']
    if not any(row[4] for row in rows):
        header, *rows = [line[:4] + line[5:] for line in [header, *rows]]
    table = markdown(header, rows)
    reading = (
        f'Mean difference to {code(baseline)} over the seeds that both have, '
        f'and its {100 * CONFIDENCE:.0f} % confidence interval (Student t, '
        'paired by seed). An interval that holds 0 does not tell the two '
        'apart. *Over images*: the interval if test images are drawn anew as '
        'well as seeds.'
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
    wider = ''
    over_images = _gain_over_images(runs, others)
    if over_images:
        least, most = over_images
        wider = f'; {least:+.1f} to {most:+.1f} over images as well'
        if outcome in ('higher', 'lower') and least <= 0 <= most:
            outcome += ' on these images'
    return (
        f'{sentence}, {mean(numbers):+.1f} '
        f'({100 * CONFIDENCE:.0f} % confidence interval {low:+.1f} to '
        f'{high:+.1f}, {len(numbers)} seeds{wider}): {outcome}.'
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
