"""Write files so that no reader ever meets half of one; know them again."""

import hashlib
import os
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Union


@contextmanager
def atomic_path(path: Union[str, Path]) -> Iterator[Path]:
    """Give a temporary path beside ``path`` that replaces it on success.

    Args:
        path (str | Path): The file to write; its folder is made if absent.

    Yields:
        Path: Where to write. Removed if the body raises.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f'.{path.name}.{os.getpid()}.tmp')
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def sha256_of(path: Union[str, Path]) -> str:
    """The checksum of a file's content.

    Args:
        path (str | Path): The file.

    Returns:
        str: SHA-256, hexadecimal.
    """
    digest = hashlib.sha256()
    with open(path, 'rb') as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
