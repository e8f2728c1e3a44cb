"""The values that papers publish, as ``configs/published.yml`` has them."""

from pathlib import Path
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence

import yaml

from mmdrloc.utils.errors import UsageError
from .identity import Identity, of_record


class PublishedValue(NamedTuple):
    """A number as printed, in per cent, with its deviation where given."""

    metric: str
    table: str
    value: float
    deviation: Optional[float] = None


# A training may be shown in several tables.
Published = Mapping[Identity, Sequence[PublishedValue]]


def read_published(path: Path) -> Dict[Identity, List[PublishedValue]]:
    """Read a ``published.yml``: values by the training to do for them.

    Raises:
        UsageError: If the file is missing or damaged.
    """
    published: Dict[Identity, List[PublishedValue]] = {}
    try:
        for record in yaml.safe_load(path.read_text())['records']:
            value = PublishedValue(
                record.get('metric', 'top-1 accuracy'),
                record['table'],
                record['value'],
                record.get('std'),
            )
            published.setdefault(of_record(record), []).append(value)
    except (OSError, KeyError, TypeError, yaml.YAMLError) as error:
        raise UsageError(
            f'{path} cannot be read ({error}): the published values are in '
            'it; restore it'
        ) from error
    return published


def published_text(cells: Sequence[PublishedValue]) -> str:
    """Values with their tables, '66.23 (Tables 2a, 4)'; equal ones once."""
    tables: Dict[str, List[str]] = {}
    for cell in cells:
        spread = f' ± {cell.deviation:.2f}' if cell.deviation else ''
        tables.setdefault(f'{cell.value:.2f}{spread}', []).append(cell.table)
    return '; '.join(
        f'{value} (Table{"s" * (len(names) > 1)} {", ".join(names)})'
        for value, names in tables.items()
    )
