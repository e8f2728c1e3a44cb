"""Parts of generated files that all generators share."""

from typing import Any, Dict, List, Tuple

import yaml

Record = Dict[str, Any]


def as_yaml(content: Dict[str, Any]) -> str:
    """YAML in the order given."""
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def markdown_table(cells: List[Tuple[str, str, str]]) -> str:
    """A table of (row, column, text), in the order of first appearance."""
    rows = list(dict.fromkeys(row for row, _, _ in cells))
    columns = list(dict.fromkeys(column for _, column, _ in cells))
    texts = {(row, column): text for row, column, text in cells}
    lines = [['', *columns], ['---'] * (len(columns) + 1)]
    lines += [
        [row, *(texts.get((row, column), '') for column in columns)]
        for row in rows
    ]
    return ''.join(f'| {" | ".join(line)} |\n' for line in lines)


def notes_on(
    records: List[Record], inconsistencies: List[Dict[str, Any]]
) -> Dict[str, str]:
    """The inconsistencies that concern any of the records, by their names."""
    return {
        entry['id']: entry['note']
        for entry in inconsistencies
        if any(concerns(entry['where'], record) for record in records)
    }


def concerns(where: Dict[str, Any], record: Record) -> bool:
    """Whether a record has the values asked for; of a list, any of them."""
    return all(
        record[key] in (wanted if isinstance(wanted, list) else [wanted])
        for key, wanted in where.items()
    )
