"""Findings: what keeps a run from running, one sentence each."""

import sys
from dataclasses import dataclass, field
from typing import Any, Iterable, List, Sequence

from mmdrloc.utils.errors import UsageError

# Of many things with the same fault, these are named.
MOST_NAMED = 5


@dataclass
class Reading:
    """What a look at a data set gave.

    Args:
        findings (List[str]): What keeps it from being used.
        notes (List[str]): What is left out or changed without harm.
        images (List[str]): The paths of its images.
    """

    findings: List[str] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)
    images: List[str] = field(default_factory=list)


def refuse(findings: Sequence[str]) -> None:
    """Stop if there is anything to mend.

    Args:
        findings (Sequence[str]): One sentence each.

    Raises:
        UsageError: With every finding, if there is one.
    """
    if findings:
        raise UsageError(listed(findings))


def listed(findings: Sequence[str]) -> str:
    """One finding as it is, several as a list."""
    if len(findings) == 1:
        return findings[0]
    return '\n  - '.join(
        [f'{len(findings)} things keep this from running:', *findings]
    )


def mention(notes: Sequence[str]) -> None:
    """Say what is no fault, but should be known."""
    for note in dict.fromkeys(notes):
        print(f'note: {note}', file=sys.stderr, flush=True)


def shown(classes: Sequence[str], most: int = 12) -> str:
    """Names in brackets, the first of many."""
    names = ', '.join(classes[:most])
    return f' ({names}{", ..." if len(classes) > most else ""})'


def few(items: Sequence[Any], most: int = MOST_NAMED) -> str:
    """The first of many things, and how many more there are."""
    text = ', '.join(str(item) for item in items[:most])
    more = len(items) - most
    return f'{text} and {more} more' if more > 0 else text


def first_few(sentences: Sequence[str], rest: str) -> List[str]:
    """The first of many sentences, and one that counts the others.

    Args:
        sentences (Sequence[str]): All of them.
        rest (str): With ``{}`` for the number of those that are left out.

    Returns:
        List[str]: At most one more than :data:`MOST_NAMED`.
    """
    more = len(sentences) - MOST_NAMED
    counted = [rest.format(more)] if more > 0 else []
    return [*sentences[:MOST_NAMED], *counted]


def joined(values: Iterable[object]) -> str:
    """Values with commas between them."""
    return ', '.join(map(str, values))
