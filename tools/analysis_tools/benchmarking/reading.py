"""How fast photos are read, as single files and out of shards."""

import io
import os
import random
import tarfile
import tempfile
from functools import partial
from pathlib import Path
from typing import Dict, List, Sequence

import cv2
import numpy as np
import torch
from mmengine.fileio import get

from mmdrloc.datasets.shard_sampler import ShardSampler
from mmdrloc.datasets.tar_shards import TarShards
from .outcome import Outcome, Table
from .timing import ratios, spread, time_interleaved

FILES = 'single files'
SHUFFLED = 'shards, any photo next'
IN_RUNS = 'shards, mmdrloc.ShardSampler'
# With this noise a JPEG of 500 x 375 pixels has some 110 KB, ImageNet's mean.
SIZE, NOISE = (375, 500), 13
DIFFERENT = 32
A_SHARD = 256


def compare_reading(
    num_images: int, rounds: int, runs: int, disk: Path
) -> Outcome:
    """Bytes of photos, read one after the other by one thread.

    Args:
        num_images (int): Read in a round.
        rounds (int): Passes of each that count.
        runs (int): Of the sampler.
        disk (Path): A folder on the disk to measure.

    Returns:
        Outcome: From the disk, and from memory.
    """
    with tempfile.TemporaryDirectory(dir=disk) as folder:
        photos = _photos(num_images)
        files = _write_files(photos, Path(folder))
        shards = _write_shards(photos, Path(folder, 'shards'))
        os.sync()
        orders = _orders(files, Path(folder, 'shards'), runs)
        places = {
            name: shards if 'shards' in name else files for name in orders
        }
        outcome = Outcome(
            'Reading photos',
            dict(
                images_a_round=num_images,
                kilobytes_an_image=round(
                    np.mean(list(map(len, photos))) / 1e3
                ),
                images_a_shard=A_SHARD,
                runs=runs,
                rounds=rounds,
            ),
        )
        for title, prepare in (
            ('Not in the file cache', _drop),
            ('In the file cache', lambda paths: None),
        ):
            before = {n: partial(prepare, p) for n, p in places.items()}
            seconds = time_interleaved(
                {
                    name: partial(_read, order)
                    for name, order in orders.items()
                },
                rounds,
                torch.device('cpu'),
                title,
                before,
            )
            outcome.tables.append(_table(title, seconds, num_images))
    return outcome


def _read(order: Sequence[str]) -> None:
    for path in order:
        get(path)


def _drop(paths: Sequence[Path]) -> None:
    """Have the system forget what it has read of files."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def _orders(
    files: Sequence[Path], shards: Path, runs: int
) -> Dict[str, List[str]]:
    dataset = TarShards(str(shards))
    sampler = ShardSampler(dataset, seed=0, runs=runs)
    paths = [dataset[index]['img_path'] for index in range(len(dataset))]
    mixed = random.Random(0).sample(range(len(paths)), len(paths))
    return {
        FILES: [str(files[index]) for index in mixed],
        SHUFFLED: [paths[index] for index in mixed],
        IN_RUNS: [paths[index] for index in sampler],
    }


def _photos(count: int) -> List[bytes]:
    some = []
    for number in range(min(count, DIFFERENT)):
        rng = np.random.default_rng(number)
        noise = rng.normal(128, NOISE, (*SIZE, 3)).clip(0, 255)
        some.append(cv2.imencode('.jpg', noise.astype(np.uint8))[1].tobytes())
    return [some[number % len(some)] for number in range(count)]


def _write_files(photos: Sequence[bytes], folder: Path) -> List[Path]:
    paths = [
        folder / f'files/{number % 100}/{number}.jpg'
        for number in range(len(photos))
    ]
    for path, content in zip(paths, photos):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return paths


def _write_shards(photos: Sequence[bytes], folder: Path) -> List[Path]:
    folder.mkdir()
    paths = []
    for first in range(0, len(photos), A_SHARD):
        paths.append(folder / f'{first:07}.tar')
        with tarfile.open(paths[-1], 'w') as archive:
            for number, content in enumerate(photos[first:][:A_SHARD]):
                for suffix, part in (('jpg', content), ('cls', b'0')):
                    member = tarfile.TarInfo(f'{number}.{suffix}')
                    member.size = len(part)
                    archive.addfile(member, io.BytesIO(part))
    return paths


def _table(title: str, seconds: Dict[str, List[float]], count: int) -> Table:
    rows = [
        [
            name,
            spread([count / s for s in values]).text(digits=0),
            ratios(seconds[FILES], values).text(),
        ]
        for name, values in seconds.items()
    ]
    header = ['photos', 'images/s', f'times {FILES}']
    return Table(title, header, rows, seconds)
