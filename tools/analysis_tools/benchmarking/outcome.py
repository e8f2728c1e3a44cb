"""What a benchmark found, as Markdown for people and JSON for programs."""

import json
import os
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, List, Sequence

import torch

from mmdrloc.reporting.tables import markdown
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.provenance import (
    git_revision,
    library_versions,
    machine,
)
from .timing import Seconds

READING = (
    'Medians, with the quartiles in brackets. Contenders took turns, so a '
    "ratio's quartiles are those of the rounds' own ratios."
)


@dataclass
class Table:
    """A part of the findings.

    Args:
        title (str): Its heading.
        header (Sequence[str]): Names of the columns.
        rows (list[Sequence[str]]): Cells as they are shown.
        seconds (dict[str, list[float]]): What was measured, a value a round.
        picture (str): Name of a PNG beside the report. Defaults to none.
    """

    title: str
    header: Sequence[str]
    rows: List[Sequence[str]]
    seconds: Seconds
    picture: str = ''


@dataclass
class Outcome:
    """All findings of one call.

    Args:
        title (str): What was measured.
        settings (dict): What it depends on.
        tables (list[Table]): The findings.
    """

    title: str
    settings: Dict[str, Any]
    tables: List[Table] = field(default_factory=list)


def write_outcome(outcome: Outcome, stem: Path) -> str:
    """Write both files, together with what computed.

    Args:
        outcome (Outcome): The findings.
        stem (Path): Of both files, without a suffix.

    Returns:
        str: The Markdown.
    """
    conditions = dict(
        machine=machine(),
        threads=torch.get_num_threads(),
        # Of the last minute: other work makes all figures worse.
        load=round(os.getloadavg()[0], 2),
        written=datetime.now(timezone.utc).isoformat(timespec='seconds'),
        git_revision=git_revision(),
        versions=library_versions(),
    )
    text = _markdown(outcome, conditions)
    data = dict(
        title=outcome.title,
        settings=outcome.settings,
        conditions=conditions,
        tables=[vars(table) for table in outcome.tables],
    )
    with atomic_path(stem.with_suffix('.json')) as path:
        path.write_text(json.dumps(data, indent=2) + '\n')
    with atomic_path(stem.with_suffix('.md')) as path:
        path.write_text(text)
    return text


def _markdown(outcome: Outcome, conditions: Dict[str, Any]) -> str:
    parts = [f'# {outcome.title}', READING]
    for table in outcome.tables:
        parts += [f'## {table.title}', markdown(table.header, table.rows)]
        if table.picture:
            parts.append(f'![{table.title}]({table.picture})')
    parts += ['## Conditions', _listed({**outcome.settings, **conditions})]
    return '\n\n'.join(parts) + '\n'


def _listed(values: Dict[str, Any]) -> str:
    lines = []
    for name, value in values.items():
        if isinstance(value, dict):
            value = ', '.join(f'{k} {v}' for k, v in value.items() if v)
        lines.append(f'- {name.replace("_", " ")}: {value}')
    return '\n'.join(lines)
