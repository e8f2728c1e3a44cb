"""Tar files of photos, as WebDataset's tools write them."""

import io
import tarfile
from pathlib import Path

import numpy as np
from PIL import Image

CLASSES = ['ant', 'bee', 'cow']


def photo(number: int, size: int = 24) -> bytes:
    """A PNG of noise, another one for each number."""
    rng = np.random.default_rng(number)
    pixels = rng.integers(0, 255, (size, size, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, 'PNG')
    return buffer.getvalue()


def write_shard(path: Path, files, format=tarfile.GNU_FORMAT) -> Path:
    """Write a tar file.

    Args:
        path (Path): Where to; its folder is made.
        files (dict[str, bytes]): Contents by name.
        format (int): One of ``tarfile``'s.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, 'w', format=format) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def samples(first: int, count: int):
    """Files of some photos, whose classes take turns."""
    files = {}
    for number in range(first, first + count):
        files[f'{number:03}.png'] = photo(number)
        files[f'{number:03}.cls'] = str(number % len(CLASSES)).encode()
    return files


def write_shards(root: Path, counts=(5, 3, 4), part: str = 'train') -> Path:
    """Write shards of some photos each, and the names of the classes."""
    for number, count in enumerate(counts):
        files = samples(sum(counts[:number]), count)
        write_shard(root / part / f'{part}-{number}.tar', files)
    (root / 'classes.txt').write_text('\n'.join(CLASSES))
    return root / part
