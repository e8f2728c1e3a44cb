"""The values that papers publish, from the metafiles of the configs."""

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

from mmdrloc.errors import UsageError

# What a metafile's value is of, if it does not say.
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


# By the name of the config. A run may be shown in several tables.
Published = Mapping[str, Sequence[PublishedValue]]


def read_published(index: Path) -> Dict[str, List[PublishedValue]]:
    """Read the metafiles that an index imports.

    Args:
        index (Path): A ``model-index.yml``.

    Returns:
        dict[str, list[PublishedValue]]: By the stem of the config's file
        name; configs without a published value are left out.

    Raises:
        UsageError: If a file is missing or damaged.
    """
    published: Dict[str, List[PublishedValue]] = {}
    for metafile in _read(index)['Import']:
        for model in _read(index.parent / metafile).get('Models', []):
            cells = model.get('Published', [])
            if cells:
                published[Path(model['Config']).stem] = [
                    PublishedValue(
                        cell.get('Metric', DEFAULT_METRIC),
                        str(cell['Table']),
                        cell['Value'],
                        cell.get('Std'),
                    )
                    for cell in cells
                ]
    return published


def _read(path: Path) -> dict:
    try:
        return yaml.safe_load(path.read_text())
    except (OSError, yaml.YAMLError) as error:
        raise UsageError(
            f'{path} cannot be read ({error}): the published values are in '
            'the metafiles that model-index.yml names; restore it'
        ) from error


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
