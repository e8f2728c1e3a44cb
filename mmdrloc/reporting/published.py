"""The values that papers publish, as ``configs/published.yml`` has them."""

from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Sequence

import yaml

from .identity import Identity, of_record
from .metrics import by_key
from .runs import RunResult

# A value in per cent, with its table and metric and what is trained for it.
PublishedValue = Dict[str, Any]
# A training may be shown in several tables.
Published = Mapping[Identity, Sequence[PublishedValue]]


def load_published(path: Path) -> Dict[str, Any]:
    """Load a ``published.yml``; ``records`` has an entry for each value."""
    content = yaml.safe_load(path.read_text())
    tables = content['tables']
    content['records'] = [r for table in tables for r in _cells(table)]
    return content


def _cells(table: Dict[str, Any]) -> Iterator[PublishedValue]:
    """The values of a table, each with all that its row says."""
    columns = [
        (dataset, metric)
        for dataset in table['datasets']
        for metric in table.get('metrics', [None])
    ]
    own = 'rows', 'datasets', 'metrics'
    shared = {key: value for key, value in table.items() if key not in own}
    for row in table['rows']:
        row = {**shared, **row}
        values = row.pop('values')
        gains = row.pop('gains', [None] * len(values))
        for (dataset, metric), value, gain in zip(
            columns, values, gains, strict=True
        ):
            record = {**row, 'dataset': dataset, 'value': value}
            if 'weights' in row:
                record['weights'] = _made_on(row['weights'], dataset)
            if gain is not None:
                record['delta'] = gain
            if metric:
                record['metric'] = metric
            yield record


def _made_on(weights: Any, dataset: str) -> Any:
    """Weights of a row, where ``same`` is the dataset of the value."""
    if not isinstance(weights, dict):
        return weights
    made = dict(weights)
    if made['dataset'] == 'same':
        made['dataset'] = dataset
    if 'weights' in made:
        made['weights'] = _made_on(made['weights'], dataset)
    return made


def published_by_training(path: Path) -> Dict[Identity, List[PublishedValue]]:
    """Read a ``published.yml``: values by the training to do for them."""
    records = load_published(path)['records']
    return by_key((of_record(record), record) for record in records)


def published_of(
    run: RunResult, published: Published
) -> Sequence[PublishedValue]:
    """What is published of a run's length, or else of its recipe."""
    return published.get(run.asked, published.get(run.identity, ()))


def published_text(records: Sequence[PublishedValue]) -> str:
    """Values with their tables, '66.23 (Tables 2a, 4)'; equal ones once."""
    tables: Dict[str, List[str]] = {}
    for one in records:
        spread = f' ± {one["std"]:.2f}' if 'std' in one else ''
        tables.setdefault(f'{one["value"]:.2f}{spread}', []).append(
            one['table']
        )
    return '; '.join(
        f'{value} (Table{"s" * (len(names) > 1)} {", ".join(names)})'
        for value, names in tables.items()
    )
