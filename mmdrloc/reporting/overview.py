"""Several data sets in one table: rows are models, columns data sets."""

from collections import defaultdict
from typing import Dict, List, Sequence, Tuple

from .markup import code, text
from .published import (
    Published,
    published_difference_text,
    published_text,
)
from .runs import Run
from .tables import (
    Metric,
    baseline_of,
    by_config,
    by_task,
    difference_text,
    markdown,
    marks_of,
    metrics_of,
    published_of,
    spread,
    values,
)

# The rows of a model, in this order; those without any value are left out.
MEASURED = ('last', 'best')
ROWS = (
    *MEASURED,
    'published',
    *(f'difference, {row}' for row in (*MEASURED, 'published')),
)


def overviews(runs: Sequence[Run], published: Published) -> List[str]:
    """Tables in the shape of the papers'.

    Args:
        runs (Sequence[Run]): Of any number of configs and data sets.
        published (Published): What to show beside the measured values.

    Returns:
        list[str]: A Markdown table for each first metric that was measured
        on several data sets.
    """
    by_metric: Dict[Metric, List[List[Run]]] = defaultdict(list)
    for group in by_task(runs):
        by_metric[metrics_of(group[0])[0]].append(group)
    return [
        _overview(metric, groups, published)
        for metric, groups in by_metric.items()
        if len({group[0].dataset for group in groups}) > 1
    ]


def _overview(
    metric: Metric, groups: Sequence[List[Run]], published: Published
) -> str:
    datasets = sorted({group[0].dataset for group in groups})
    models: Dict[str, Dict[str, Dict[str, str]]] = {}
    families: Dict[str, Tuple[str, bool]] = {}
    for group in groups:
        configs = by_config(group)
        for config, its_runs in configs.items():
            rows = models.setdefault(config, {})
            baseline = its_runs[0].baseline
            families[config] = (
                baseline.title if baseline else config,
                baseline is not None,
            )
            cells = _cells(config, configs, metric, published)
            for row, cell in cells.items():
                rows.setdefault(row, {})[group[0].dataset] = cell
    lines = []
    # Twins below their baseline.
    for model in sorted(models, key=lambda name: (families[name], name)):
        rows = models[model]
        for row in filter(rows.get, ROWS):
            texts = [rows[row].get(dataset, '') for dataset in datasets]
            lines.append([code(model), row, *texts])
    return markdown(['model', metric.title, *map(text, datasets)], lines)


def _cells(
    config: str,
    configs: Dict[str, List[Run]],
    metric: Metric,
    published: Published,
) -> Dict[str, str]:
    """What is to be said of a config, by the name of the row."""
    runs = configs[config]
    partial = ' †' if any(map(marks_of, runs)) else ''
    cells = {
        which: spread(values(runs, metric, which)) + partial
        for which in MEASURED
    }
    cells['published'] = published_text(published_of(runs, metric, published))
    baseline = baseline_of(config, configs)
    if baseline:
        for which in MEASURED:
            cells[f'difference, {which}'] = difference_text(
                runs, configs[baseline], metric, which
            )
        cells['difference, published'] = published_difference_text(
            published_of(runs, metric, published),
            published_of(configs[baseline], metric, published),
        )
    return {row: cell for row, cell in cells.items() if cell}
