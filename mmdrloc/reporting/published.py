"""The values that papers publish, as ``configs/published.yml`` has them."""

from pathlib import Path
from typing import (
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

import yaml

from mmdrloc.utils.errors import UsageError
from .identity import Identity, of_record

# What a value is of, if its record does not say.
DEFAULT_METRIC = 'top-1 accuracy'


class PublishedValue(NamedTuple):
    """A number as printed.

    Args:
        metric (str): Such as 'box AP'.
        table (str): Its table.
        value (float): In per cent.
        deviation (float, optional): Over seeds, where it is given.
    """

    metric: str
    table: str
    value: float
    deviation: Optional[float]


# A training may be shown in several tables.
Published = Mapping[Identity, Sequence[PublishedValue]]


def read_published(path: Path) -> Dict[Identity, List[PublishedValue]]:
    """Read what is published.

    Args:
        path (Path): A ``published.yml``.

    Returns:
        dict[Identity, list[PublishedValue]]: By the training to do for it.

    Raises:
        UsageError: If the file is missing or damaged.
    """
    try:
        records = yaml.safe_load(path.read_text())['records']
    except (OSError, KeyError, TypeError, yaml.YAMLError) as error:
        raise UsageError(
            f'{path} cannot be read ({error}): the published values are in '
            'it; restore it'
        ) from error
    published: Dict[Identity, List[PublishedValue]] = {}
    for record in records:
        published.setdefault(of_record(record), []).append(
            PublishedValue(
                record.get('metric', DEFAULT_METRIC),
                record['table'],
                record['value'],
                record.get('std'),
            )
        )
    return published


def published_text(cells: Sequence[PublishedValue]) -> str:
    """Published values with their tables.

    Args:
        cells (Sequence[PublishedValue]): Of one config and metric.

    Returns:
        str: Such as '66.23 (Tables 2a, 4)'; equal values once.
    """
    return _with_tables(
        (
            f'{cell.value:.2f}'
            + ('' if cell.deviation is None else f' ± {cell.deviation:.2f}'),
            cell.table,
        )
        for cell in cells
    )


def published_difference_text(
    cells: Sequence[PublishedValue], baseline: Sequence[PublishedValue]
) -> str:
    """Differences of published values, table by table.

    Args:
        cells (Sequence[PublishedValue]): Of a config and one metric.
        baseline (Sequence[PublishedValue]): Of the one it is compared to.

    Returns:
        str: Such as '+12.95 (Table 4)', recomputed from the two values and
        not the printed difference; of tables that show both.
    """
    other = {cell.table: cell.value for cell in baseline}
    return _with_tables(
        (f'{cell.value - other[cell.table]:+.2f}', cell.table)
        for cell in cells
        if cell.table in other
    )


def _with_tables(values: Iterable[Tuple[str, str]]) -> str:
    tables: Dict[str, List[str]] = {}
    for value, table in values:
        tables.setdefault(value, []).append(table)
    return '; '.join(
        f'{value} (Table{"s" * (len(names) > 1)} {", ".join(names)})'
        for value, names in tables.items()
    )
