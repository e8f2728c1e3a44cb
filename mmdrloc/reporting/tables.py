"""Runs as Markdown tables: mean and deviation over seeds, last and best."""

from collections import defaultdict
from statistics import mean, stdev
from typing import Dict, List, NamedTuple, Optional, Sequence

from .runs import Run


class Metric(NamedTuple):
    """How a metric is shown.

    Args:
        key (str): The evaluator's name for it.
        title (str): The table's name for it.
        factor (float): What makes it a percentage.
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
)


def metrics_of(run: Run) -> List[Metric]:
    """The metrics of a run that tables show."""
    return [metric for metric in METRICS if metric.key in run.result['last']]


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
        groups[(run.result['dataset']['name'], tuple(metrics_of(run)))].append(
            run
        )
    return list(groups.values())


def values(runs: Sequence[Run], metric: Metric, which: str) -> List[float]:
    """A metric of several runs, in the table's unit."""
    return [metric.factor * run.metric(metric.key, which) for run in runs]


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


def baseline_of(config: str, configs: Sequence[str]) -> Optional[str]:
    """Which of several configs is the baseline of a DRLoc config.

    Args:
        config (str): Such as 'swin_drloc_digits'.
        configs (Sequence[str]): Those there are.

    Returns:
        str | None: For transfers 'x_plain_y', carried without DRLoc; else
        'x_y'; None for a config without DRLoc or without such a partner.
    """
    if '_drloc' not in config:
        return None
    names = [config.replace('_drloc', other, 1) for other in ('_plain', '')]
    return next((name for name in names if name in configs), None)


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


def task_table(runs: Sequence[Run]) -> str:
    """One table of runs with the same data and metrics.

    Args:
        runs (Sequence[Run]): One group of :func:`by_task`.

    Returns:
        str: A row a config, last and best of each metric; below a DRLoc
        config its difference to its baseline, paired by seed.
    """
    metrics = metrics_of(runs[0])
    header = ['config', 'seeds', 'updates']
    for metric in metrics:
        header += [f'{metric.title}, last', 'best']
    configs = by_config(runs)
    rows = []
    for config, group in configs.items():
        rows.append([f'`{config}`', _seeds(group), _updates(group)])
        for metric in metrics:
            for which in ('last', 'best'):
                rows[-1].append(spread(values(group, metric, which)))
        baseline = baseline_of(config, list(configs))
        if baseline:
            rows.append(
                _difference_row(group, configs[baseline], baseline, metrics)
            )
    return markdown(header, rows)


def _difference_row(
    runs: Sequence[Run],
    baseline: Sequence[Run],
    name: str,
    metrics: Sequence[Metric],
) -> List[str]:
    row = [f'paired difference to `{name}`', '', '']
    for metric in metrics:
        for which in ('last', 'best'):
            numbers = paired_differences(runs, baseline, metric, which)
            row.append(spread(numbers, '+') if numbers else '')
    return row


def _seeds(runs: Sequence[Run]) -> str:
    return ', '.join(str(run.seed) for run in runs)


def _updates(runs: Sequence[Run]) -> str:
    """Updates made; of how many, where only a part was run."""
    texts = []
    for run in runs:
        done, planned = (
            run.result['updates'][key] for key in ('done', 'planned')
        )
        finished = run.result['finished']
        texts.append(f'{done}' if finished else f'{done} of {planned}')
    return ', '.join(dict.fromkeys(texts))


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ['---'] * len(header), *rows]
    return '\n'.join(f'| {" | ".join(line)} |' for line in lines)
