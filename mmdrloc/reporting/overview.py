"""Several data sets in one table: rows are models, columns data sets."""

from collections import defaultdict
from typing import Dict, List, Sequence, Tuple

from .markup import code, text
from .published import Published
from .runs import Run
from .tables import (
    DIFFERENCES,
    MEASURED,
    SHOWN,
    Metric,
    by_config,
    by_task,
    cells_of,
    markdown,
    marks_of,
    metrics_of,
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
    rows: Dict[Tuple[str, str], Dict[str, str]] = defaultdict(dict)
    families: Dict[str, Tuple[str, bool]] = {}
    for group in groups:
        configs = by_config(group)
        for config, its_runs in configs.items():
            baseline = its_runs[0].baseline
            family = baseline.title if baseline else config
            families[config] = (family, baseline is not None)
            partial = ' †' if any(map(marks_of, its_runs)) else ''
            cells = cells_of(config, configs, metric, published)
            for name, cell in cells.items():
                if cell:
                    cell += partial if name in MEASURED else ''
                    rows[config, name][group[0].dataset] = cell
    # Twins below their baseline; rows without any value are left out.
    lines = [
        [code(model), name, *(rows[model, name].get(d, '') for d in datasets)]
        for model in sorted(families, key=lambda name: (families[name], name))
        for name in (*SHOWN, *DIFFERENCES)
        if (model, name) in rows
    ]
    return markdown(['model', metric.title, *map(text, datasets)], lines)
