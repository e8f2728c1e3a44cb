"""Runs as tables: mean and deviation over seeds, last and best."""

from collections import defaultdict
from statistics import mean, stdev
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence

from .published import (
    Published,
    PublishedValue,
    published_difference_text,
    published_text,
)
from .runs import Run


class Metric(NamedTuple):
    """How a metric is shown.

    Args:
        key (str): The evaluator's name for it.
        title (str): The table's name for it.
        factor (float): What makes it a percentage, if it is one.
    """

    key: str
    title: str
    factor: float


METRICS = (
    Metric('accuracy/top1', 'top-1 accuracy (%)', 1.0),
    Metric('coco/bbox_mAP', 'box AP (%)', 100.0),
    Metric('coco/bbox_mAP_50', 'box AP50 (%)', 100.0),
    Metric('coco/segm_mAP', 'mask AP (%)', 100.0),
    Metric('mIoU', 'mIoU (%)', 1.0),
    Metric('reconstruction/loss', 'reconstruction loss', 1.0),
)
# Shown where they are published.
IN_PRINT = (
    Metric('coco/bbox_mAP_75', 'box AP75 (%)', 100.0),
    Metric('coco/segm_mAP_50', 'mask AP50 (%)', 100.0),
    Metric('coco/segm_mAP_75', 'mask AP75 (%)', 100.0),
    Metric('mAcc', 'mAcc (%)', 1.0),
)
SHOWN = ('last', 'best', 'published')
# What a run may do otherwise than its reference says, and how it is told.
DEVIATIONS = dict(
    epochs='{} epochs instead of {}',
    iterations='{} iterations instead of {}',
    train_images='{} of {} training images',
    val_images='{} of {} validation images',
    global_batch='batch size {} instead of {}',
)


class Table(NamedTuple):
    """What any program can lay out: texts, configs in Markdown's quotes."""

    header: List[str]
    rows: List[List[str]]


def code(name: str) -> str:
    """A name as Markdown shows names."""
    return f'`{name}`'


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ['---'] * len(header), *rows]
    return '\n'.join(f'| {" | ".join(line)} |' for line in lines)


def metrics_of(run: Run) -> List[Metric]:
    """The metrics of a run that tables show."""
    return [metric for metric in METRICS if metric.key in run.last]


def by_config(runs: Sequence[Run]) -> Dict[str, List[Run]]:
    """Runs of each config, in the order given."""
    groups = defaultdict(list)
    for run in runs:
        groups[run.config].append(run)
    return dict(groups)


def by_task(runs: Sequence[Run]) -> List[List[Run]]:
    """Runs that belong together: same data, same metrics."""
    groups = defaultdict(list)
    for run in runs:
        groups[run.dataset, tuple(metrics_of(run))].append(run)
    return list(groups.values())


def values(runs: Sequence[Run], metric: Metric, which: str) -> List[float]:
    """A metric of several runs, in the table's unit."""
    return [metric.factor * getattr(run, which)[metric.key] for run in runs]


def spread(numbers: Sequence[float], sign: str = '') -> str:
    """Mean and, of several, sample standard deviation: '95.13 ± 0.42'."""
    text = f'{mean(numbers):{sign}.2f}'
    return f'{text} ± {stdev(numbers):.2f}' if len(numbers) > 1 else text


def baseline_of(
    config: str, configs: Mapping[str, Sequence[Run]]
) -> Optional[str]:
    """Which of several configs on the same data is the baseline of one.

    None for what is no twin, or where its baseline was not run.
    """
    baseline = configs[config][0].baseline_config
    return baseline if baseline in configs else None


def paired_differences(
    runs: Sequence[Run], baseline: Sequence[Run], metric: Metric, which: str
) -> List[float]:
    """Differences to the baseline's run of the same seed."""
    theirs = dict(
        zip((run.seed for run in baseline), values(baseline, metric, which))
    )
    ours = zip((run.seed for run in runs), values(runs, metric, which))
    return [value - theirs[seed] for seed, value in ours if seed in theirs]


def tables_of(runs: Sequence[Run], published: Published) -> List[Table]:
    """Tables of runs on the same data: one for each metric.

    Args:
        runs (Sequence[Run]): One group of :func:`by_task`.
        published (Published): What to show beside the measured values.

    Returns:
        list[Table]: A row a config with its last and best value and, where
        there are any, published values and DRLoc's skill; below a twin its
        gain over its baseline, paired by seed.
    """
    configs = by_config(runs)
    metrics = metrics_of(runs[0])
    for metric in IN_PRINT:
        if all(metric.key in run.last for run in runs):
            metrics += [metric] * bool(_published_of(runs, metric, published))
    skills = any(run.skill is not None for run in runs)
    tables = []
    for metric in metrics:
        shown = SHOWN if _published_of(runs, metric, published) else SHOWN[:2]
        rows = []
        for config, group in configs.items():
            own, gain = _cells(config, configs, metric, published)
            seeds = ', '.join(str(run.seed) for run in group)
            rows.append([code(config), seeds, *(own[n] for n in shown)])
            found = [run.skill for run in group if run.skill is not None]
            if skills:
                rows[-1].append(spread(found) if found else '')
            if gain:
                name = f'gain over {code(baseline_of(config, configs))}'
                rows.append([name, '', *(gain[n] for n in shown)])
                rows[-1] += [''] * skills
        header = [metric.title, 'seeds', *shown, *['skill'] * skills]
        tables.append(Table(header, rows))
    return tables


def task_table(runs: Sequence[Run], published: Published) -> str:
    """:func:`tables_of` in Markdown, and below what is not as it should be."""
    parts = [markdown(*table) for table in tables_of(runs, published)]
    return '\n\n'.join(parts + _notes(runs))


def _cells(
    config: str,
    configs: Mapping[str, Sequence[Run]],
    metric: Metric,
    published: Published,
) -> List[Dict[str, str]]:
    """A text for each of :data:`SHOWN`, and the same of a twin's gain."""
    runs = configs[config]
    printed = _published_of(runs[:1], metric, published)
    own = {which: spread(values(runs, metric, which)) for which in SHOWN[:2]}
    own['published'] = published_text(printed)
    baseline = configs.get(baseline_of(config, configs))
    if not baseline:
        return [own, {}]
    gain = {}
    for which in SHOWN[:2]:
        numbers = paired_differences(runs, baseline, metric, which)
        gain[which] = spread(numbers, '+') if numbers else ''
    theirs = _published_of(baseline[:1], metric, published)
    gain['published'] = published_difference_text(printed, theirs)
    return [own, gain]


def _published_of(
    runs: Sequence[Run], metric: Metric, published: Published
) -> List[PublishedValue]:
    name = metric.title.removesuffix(' (%)')
    cells = [c for run in runs for c in published.get(run.identity, ())]
    return [cell for cell in cells if cell.metric == name]


def _notes(runs: Sequence[Run]) -> List[str]:
    """In what runs are not the whole experiment of their config's name."""
    parts = []
    for config, group in by_config(runs).items():
        seeds = defaultdict(list)
        for run in group:
            for mark in _marks_of(run):
                seeds[mark].append(str(run.seed))
        marks = [
            mark + f' (seed {", ".join(which)})' * (len(which) < len(group))
            for mark, which in seeds.items()
        ]
        parts += [f'{code(config)}: {", ".join(marks)}'] * bool(marks)
    note = f'Not the whole experiment: {"; ".join(parts)}.'
    return [note] if parts else []


def _marks_of(run: Run) -> List[str]:
    result, updates = run.result, run.result['updates']
    reference = result.get('reference', {})
    actual = dict(
        result.get('length', {}),
        global_batch=result['global_batch'],
        train_images=result['dataset']['train_images'],
        val_images=result['dataset']['val_images'],
    )
    marks = (
        []
        if result['finished']
        else [f'{updates["done"]} of {updates["planned"]} iterations so far']
    )
    return marks + [
        text.format(actual[name], reference[name])
        for name, text in DEVIATIONS.items()
        # An epoch recipe that --iters shortened has no epochs.
        if name in reference
        and actual.get(name) not in (None, reference[name])
    ]
