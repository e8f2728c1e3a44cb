"""Differences of runs with the same seed, with a confidence interval."""

from statistics import mean, stdev
from typing import (
    Any,
    Collection,
    Dict,
    Iterator,
    List,
    Optional,
    Sequence,
    Tuple,
)

import numpy as np
from scipy.special import stdtrit

from mmdrloc.utils.errors import counted
from .answers import correct
from .metrics import (
    TOP1,
    WHICH,
    Metric,
    Numbers,
    by_config,
    by_key,
    by_task,
    course,
    differences,
    mean_std,
    metrics_of,
    values,
)
from .runs import RunResult

CONFIDENCE = 0.95
# With fewer seeds there is no interval: the differences of two may be equal by
# chance. With fewer images one says little.
ENOUGH_SEEDS, ENOUGH_IMAGES = 3, 50
Ends = Tuple[float, float]
# Two kinds of training on the same data, the second the baseline of the first.
Pair = Tuple[Sequence[RunResult], Sequence[RunResult]]


def interval(numbers: Collection[float]) -> Ends:
    """The confidence interval of a mean, as of paired differences.

    Student's t: mean ± t · s / √n, where t is the quantile of n - 1 degrees
    of freedom. It holds if the numbers, two at least, are drawn independently
    from one normal distribution.
    """
    return _interval(mean(numbers), stdev(numbers) ** 2, len(numbers))


def interval_over_images(table: np.ndarray) -> Ends:
    """The confidence interval of a mean where images are drawn anew as well.

    Seeds and images are crossed random effects: SE² = s²(means of seeds) / S
    + s²(means of images) / N - s²(residuals) / (S N), for a full table in
    Owen, "The pigeonhole bootstrap", Annals of Applied Statistics, 2007. What
    images add to the seeds' part is 0 at least. Student's t has S - 1 degrees
    of freedom, as in :func:`interval`, which is rather too wide than too
    narrow.

    Args:
        table (np.ndarray): Differences for S seeds and N images, (S, N), two
            of each at least.
    """
    seeds, images = table.shape
    of_seeds = table.mean(1, keepdims=True)
    of_images = table.mean(0, keepdims=True)
    residuals = table - of_seeds - of_images + table.mean()
    residual = (residuals**2).sum() / (seeds - 1) / (images - 1)
    added = seeds * of_images.var(ddof=1) / images - residual / images
    variance = of_seeds.var(ddof=1) + max(added, 0)
    return _interval(table.mean(), variance, seeds)


def _interval(center: float, variance: float, number: int) -> Ends:
    # Not scipy.stats: its import takes a second.
    quantile = stdtrit(number - 1, (1 + CONFIDENCE) / 2)
    half = float(quantile * (variance / number) ** 0.5)
    return float(center) - half, float(center) + half


def pairs(runs: Sequence[RunResult], baseline: str = '') -> Iterator[Pair]:
    """Finished runs on the same data with those to compare them with.

    That is the config ``baseline``. By default it is the baseline of a DRLoc
    recipe, from the same weights; of a run from a DRLoc recipe's weights the
    same from its baseline's; else the same from no weights. One seed at least
    is in common. Of several by default, as where a config was edited, none is.
    """
    for group in by_task([run for run in runs if run.finished]):
        configs, usual = by_config(group), _baselines(group)
        for config, ours in configs.items():
            [other, *more] = [baseline] if baseline else usual[config]
            theirs = configs.get(other, []) if not more else []
            seeds = {run.seed for run in ours} & {run.seed for run in theirs}
            if seeds and other != config:
                yield ours, theirs


def _baselines(group: Sequence[RunResult]) -> Dict[str, List[str]]:
    """With what each config is compared by default; itself, if with none."""
    known: Dict[Any, Dict[str, None]] = {}
    for run in group:
        known.setdefault((run.identity, run.how), {})[run.config] = None
    found = {}
    for config, (run, *_) in by_config(group).items():
        usual = [run.baseline]
        if run.identity.weights:
            usual.append(run.identity._replace(weights=None))
        there = (known.get((one, run.how)) for one in usual)
        found[config] = [*next(filter(None, there), [config])]
    return found


def gains(pair: Pair, metric: Metric, which: str = 'last') -> Numbers:
    """Differences, paired by seed, in the table's unit."""
    ours, theirs = (values(runs, metric, which) for runs in pair)
    return differences(ours, theirs)


def gain_by_iteration(pair: Pair, metric: Metric) -> Dict[int, Numbers]:
    """:func:`gains` by the iterations after which both were validated."""
    ours, theirs = (course(one, metric.key, metric.factor) for one in pair)
    found = {n: differences(ours[n], theirs.get(n, {})) for n in ours}
    return {n: gained for n, gained in found.items() if gained}


def no_interval(numbers: Collection[float]) -> str:
    """Why differences have none; '' if they have."""
    if len(numbers) < ENOUGH_SEEDS:
        return counted(len(numbers), 'seed')
    # As of few images: an interval of no width would claim certainty. Files
    # keep six digits, and accuracies are of float32.
    width, usual = max(numbers) - min(numbers), abs(mean(numbers))
    is_same = width <= min(1e-3, usual / 100)
    return 'the same for each seed' if is_same else ''


def gain_over_images(pair: Pair) -> Optional[Ends]:
    """The interval of a difference in top-1 accuracy, seeds and images drawn.

    None if the seeds have no interval, there is one image, or it is not
    recorded which images each run had right.
    """
    if TOP1 not in metrics_of(pair[0][0]) or no_interval(
        gains(pair, TOP1).values()
    ):
        return None
    ours, theirs = (
        by_key((run.seed, correct(run.result)) for run in runs)
        for runs in pair
    )
    seeds = [seed for seed in ours if seed in theirs]
    every = [one for seed in seeds for one in ours[seed] + theirs[seed]]
    sizes = {None if one is None else len(one) for one in every}
    if len(sizes) > 1 or sizes <= {None, 1}:
        return None
    table = [np.mean(ours[s], 0) - np.mean(theirs[s], 0) for s in seeds]
    return interval_over_images(100 * np.array(table))


def in_a_sentence(pair: Pair) -> str:
    """Say how two kinds of training compare in the end."""
    metric = metrics_of(pair[0][0])[0]
    ends = [values(runs, metric, 'last') for runs in pair]
    gained = differences(*ends)
    numbers = gained.values()
    one, other = (mean(end[seed] for seed in gained) for end in ends)
    names = [f'`{runs[0].config}`' for runs in pair]
    digits = metric.digits - 1
    sentence = (
        f'{pair[0][0].dataset}, {names[0]} against {names[1]}: '
        f'{metric.title} {one:.{digits}f} against {other:.{digits}f}, '
        f'{mean(numbers):+.{digits}f}'
    )
    missing = no_interval(numbers)
    if missing:
        return f'{sentence}; {missing}, which shows nothing for certain.'
    low, high = interval(numbers)
    outcome = 'no difference shown'
    if low > 0 or high < 0:
        outcome = 'higher' if low > 0 else 'lower'
    wider = ''
    over_images = gain_over_images(pair)
    if over_images:
        least, most = over_images
        wider = f'; {least:+.1f} to {most:+.1f} if images are drawn anew too'
        if not low <= 0 <= high and least <= 0 <= most:
            outcome += ' on these images'
    return (
        f'{sentence} ({100 * CONFIDENCE:.0f} % confidence interval '
        f'{low:+.{digits}f} to {high:+.{digits}f}, {len(numbers)} '
        f'seeds{wider}): {outcome}.'
    )


def verdict(runs: Sequence[RunResult], baseline: str = '') -> List[str]:
    """What came out, in sentences: comparisons, then what has none."""
    found = [*pairs(runs, baseline)]
    compared = [run for pair in found for one in pair for run in one]
    sentences = [in_a_sentence(pair) for pair in found]
    for group in by_task(runs):
        metric, usual = metrics_of(group[0])[0], _baselines(group)
        for config, alike in by_config(group).items():
            if alike[0] not in compared:
                last, best = (
                    mean_std(values(alike, metric, which), metric.digits)
                    for which in WHICH
                )
                sentences.append(
                    f'{alike[0].dataset}, `{config}`: {metric.title} '
                    f'{last} at the end, {best} at best.'
                )
                if len(usual[config]) > 1 and not baseline:
                    sentences[-1] += (
                        f' It is compared with none of '
                        f'{", ".join(usual[config])}: name one by --baseline.'
                    )
    return sentences


def few_images(runs: Sequence[RunResult]) -> List[str]:
    """A warning if percentages are of few images."""
    images = min(run.result['dataset']['val_images'] for run in runs)
    return [
        f'**Only {counted(images, "validation image")}: this says little**, '
        f'whatever the intervals. Take {ENOUGH_IMAGES} or more.'
    ] * (images < ENOUGH_IMAGES)


def summary(runs: Sequence[RunResult], baseline: str) -> str:
    """Say for a console what came out."""
    sentences = [*verdict(runs, baseline), *few_images(runs)]
    return '\n'.join(
        one.replace('`', '').replace('**', '') for one in sentences
    )
