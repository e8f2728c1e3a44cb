"""Where recipes and tools lie: beside the package, or in its wheel."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def shipped(name: str) -> Path:
    """Find what comes with the package.

    Args:
        name (str): Such as 'configs' or 'tools/train.py'.

    Returns:
        Path: In the checkout, or as the wheel holds it.
    """
    place = PACKAGE.parent / name
    return place if place.exists() else PACKAGE / '.mim' / name
