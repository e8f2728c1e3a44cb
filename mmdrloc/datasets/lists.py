"""Read the text files in which data sets name their images."""

from pathlib import Path
from typing import List

from mmdrloc.utils.errors import UsageError


def read_list(path: str) -> List[str]:
    """Read a list, one image a line.

    Args:
        path (str): The file.

    Returns:
        List[str]: Its lines that are not empty, without surrounding blanks.

    Raises:
        UsageError: If there is no such file, or no line in it.
    """
    if not Path(path).is_file():
        raise UsageError(f'there is no list {path}')
    lines = Path(path).read_text(encoding='utf-8').splitlines()
    lines = [line.strip() for line in lines if line.strip()]
    if not lines:
        raise UsageError(f'the list {path} is empty')
    return lines


def check_split(split: str, splits: List[str]) -> None:
    """Refuse a split that a data set does not have.

    Args:
        split (str): What was asked for.
        splits (List[str]): What there is.

    Raises:
        UsageError: If it is none of them.
    """
    if split not in splits:
        raise UsageError(
            f"there is no split '{split}': choose one of {', '.join(splits)}"
        )
