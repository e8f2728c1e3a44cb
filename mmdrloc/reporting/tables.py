"""Runs as Markdown tables: mean and deviation over seeds, last and best."""

from collections import defaultdict
from statistics import mean, stdev
from typing import (
    Dict,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
)

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

# What is told of each, and of a twin.
MEASURED = ('last', 'best')
SHOWN = (*MEASURED, 'published')
DIFFERENCES = tuple(f'difference, {name}' for name in SHOWN)
# Columns that are left out where they are empty.
OPTIONAL = ('published', 'DRLoc skill', 'notes')

# What a run may do otherwise than its reference says, and how it is told.
DEVIATIONS = dict(
    epochs='{} epochs instead of {}',
    iterations='{} iterations instead of {}',
    train_images='{} of {} training images',
    val_images='{} of {} validation images',
    global_batch='batch size {} instead of {}',
)


def code(name: str) -> str:
    """A name as Markdown shows names."""
    return f'`{name}`'


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
    """Runs that belong into one table: same data, same metrics."""
    groups = defaultdict(list)
    for run in runs:
        groups[run.dataset, tuple(metrics_of(run))].append(run)
    return list(groups.values())


def values(runs: Sequence[Run], metric: Metric, which: str) -> List[float]:
    """A metric of several runs, in the table's unit."""
    return [metric.factor * getattr(run, which)[metric.key] for run in runs]


def spread(numbers: Sequence[float], sign: str = '') -> str:
    """Mean, and with several numbers their sample standard deviation.

    Args:
        numbers (Sequence[float]): At least one.
        sign (str): '+' to show the sign of a positive mean too.
            Defaults to ''.

    Returns:
        str: Such as '95.13 ± 0.42'.
    """
    text = f'{mean(numbers):{sign}.2f}'
    return f'{text} ± {stdev(numbers):.2f}' if len(numbers) > 1 else text


def baseline_of(
    config: str, configs: Mapping[str, Sequence[Run]]
) -> Optional[str]:
    """Which of several configs is the baseline of one of them.

    Args:
        config (str): One of them.
        configs (Mapping[str, Sequence[Run]]): Runs of each, on the same
            data.

    Returns:
        str | None: None for what is no twin, or where its baseline was not
        run.
    """
    baseline = configs[config][0].baseline_config
    return baseline if baseline in configs else None


def marks_of(run: Run) -> List[str]:
    """In what a run is not the whole experiment of its config's name.

    Args:
        run (Run): Any.

    Returns:
        list[str]: Such as '10 epochs instead of 100'; empty for a finished
        run that does what its reference says.
    """
    result = run.result
    actual = dict(
        result.get('length', {}),
        global_batch=result['global_batch'],
        train_images=result['dataset']['train_images'],
        val_images=result['dataset']['val_images'],
    )
    marks = [] if result['finished'] else ['not finished']
    return marks + [
        text.format(actual.get(name), result['reference'][name])
        for name, text in DEVIATIONS.items()
        if name in result.get('reference', {})
        and actual.get(name) != result['reference'][name]
    ]


def paired_differences(
    runs: Sequence[Run], baseline: Sequence[Run], metric: Metric, which: str
) -> List[float]:
    """Differences to the baseline's run of the same seed."""
    partners = {run.seed: run for run in baseline}
    return [
        values([run], metric, which)[0]
        - values([partners[run.seed]], metric, which)[0]
        for run in runs
        if run.seed in partners
    ]


def cells_of(
    config: str,
    configs: Mapping[str, Sequence[Run]],
    metric: Metric,
    published: Published,
) -> Dict[str, str]:
    """What tables say of a metric of a config.

    Args:
        config (str): One of them.
        configs (Mapping[str, Sequence[Run]]): Runs of each, on the same
            data.
        metric (Metric): Of all.
        published (Published): What to show beside the measured values.

    Returns:
        dict[str, str]: For each of :data:`SHOWN` a text, which may be empty;
        of a twin also for each of :data:`DIFFERENCES`, paired by seed.
    """
    runs = configs[config]
    printed = _published_of(runs, metric, published)
    cells = {which: spread(values(runs, metric, which)) for which in MEASURED}
    cells['published'] = published_text(printed)
    baseline = configs.get(baseline_of(config, configs))
    if not baseline:
        return cells
    differences = [
        paired_differences(runs, baseline, metric, which) for which in MEASURED
    ]
    texts = [spread(n, '+') if n else '' for n in differences]
    theirs = _published_of(baseline, metric, published)
    texts.append(published_difference_text(printed, theirs))
    return {**cells, **dict(zip(DIFFERENCES, texts))}


def _published_of(
    runs: Sequence[Run], metric: Metric, published: Published
) -> List[PublishedValue]:
    """The published values of a metric of a config, by its runs."""
    name = metric.title.removesuffix(' (%)')
    cells = published.get(runs[0].identity, ())
    return [cell for cell in cells if cell.metric == name]


def task_table(runs: Sequence[Run], published: Published) -> str:
    """One table of runs with the same data and metrics.

    Args:
        runs (Sequence[Run]): One group of :func:`by_task`.
        published (Published): What to show beside the measured values.

    Returns:
        str: A row a config, last and best of each metric; below a twin
        its difference to its baseline, paired by seed. Columns for
        published values, DRLoc's skill and notes only where there are any.
    """
    metrics = metrics_of(runs[0])
    configs = by_config(runs)
    header = ['config', 'seeds', 'updates']
    for metric in metrics:
        header += [f'{metric.title}, last', 'best', 'published']
    rows = []
    for config, group in configs.items():
        cells = [cells_of(config, configs, m, published) for m in metrics]
        shown = [of_metric[name] for of_metric in cells for name in SHOWN]
        first = [code(config), _seeds(group), _updates(group)]
        rows.append([*first, *shown, _skills(group), _notes(group)])
        baseline = baseline_of(config, configs)
        if baseline:
            shown = [c[name] for c in cells for name in DIFFERENCES]
            first = [f'paired difference to {code(baseline)}', '', '']
            rows.append([*first, *shown, '', ''])
    header += ['DRLoc skill', 'notes']
    kept = [
        column
        for column, name in enumerate(header)
        if name not in OPTIONAL or any(row[column] for row in rows)
    ]
    header, *rows = [[line[c] for c in kept] for line in (header, *rows)]
    return markdown(header, rows)


def _notes(runs: Sequence[Run]) -> str:
    """What is missing, and of which seeds if not of all."""
    seeds = defaultdict(list)
    for run in runs:
        for mark in marks_of(run):
            seeds[mark].append(run)
    return '; '.join(
        mark if len(marked) == len(runs) else f'{mark} (seed {_seeds(marked)})'
        for mark, marked in seeds.items()
    )


def _skills(runs: Sequence[Run]) -> str:
    """At the end of those trainings that have it on record."""
    skills = [run.skill for run in runs if run.skill is not None]
    return spread(skills) if skills else ''


def _seeds(runs: Sequence[Run]) -> str:
    return ', '.join(str(run.seed) for run in runs)


def _updates(runs: Sequence[Run]) -> str:
    """Updates made; of how many, where only a part was run."""
    texts = []
    for run in runs:
        text = '{done}' if run.result['finished'] else '{done} of {planned}'
        texts.append(text.format(**run.result['updates']))
    return ', '.join(dict.fromkeys(texts))


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ['---'] * len(header), *rows]
    return '\n'.join(f'| {" | ".join(line)} |' for line in lines)
