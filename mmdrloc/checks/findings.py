"""Findings: what keeps a run from running, one sentence each."""

from typing import Sequence

from mmdrloc.errors import UsageError


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


def first_line(error: Exception) -> str:
    """What an error says, fit to be followed by something else."""
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0].rstrip('.')


def shown(classes: Sequence[str], most: int = 12) -> str:
    """Names in brackets, the first of many."""
    names = ', '.join(classes[:most])
    return f' ({names}{", ..." if len(classes) > most else ""})'


def joined(values: Sequence[object]) -> str:
    """Values with commas between them."""
    return ', '.join(map(str, values))
