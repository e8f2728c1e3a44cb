#!/usr/bin/env python
"""Write photos in class folders as tar files, shards of a data set.

For data of hundreds of thousands of photos on disks that are slow with small
files. The photos are copied as they are, in a random order, as WebDataset has
them; what was written when this was cut off stays, and it goes on there.
"""

import hashlib
import io
import json
import os
import random
import tarfile
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple

from rich.progress import Progress

from mmdrloc.apis.cli import command_parser
from mmdrloc.datasets.class_folders import images_in
from mmdrloc.datasets.folders.folder import TRAIN, VAL, subfolder, subfolders
from mmdrloc.datasets.tar_index import read_shards
from mmdrloc.datasets.tar_shards import CLASSES
from mmdrloc.utils.errors import (
    UsageError,
    few,
    first_few,
    refuse,
    usage_errors_in_one_sentence,
)
from mmdrloc.utils.files import (
    atomic_path,
    remove_leftovers,
    require_space,
)
from mmdrloc.utils.images import find_bad_images

EXAMPLES = """examples:
  python tools/dataset_converters/folders_to_shards.py data/imagenet \\
      data/imagenet-shards

  # then
  python tools/train.py configs/scratch_300e/swin-tiny_drloc.py \\
      --dataset imagenet-1k-shards
"""
# Says which photos a folder's shards are of.
PLAN = 'plan.json'
MEGABYTE = 10**6
SEED = 0


class Photo(NamedTuple):
    """A photo in a class folder.

    Args:
        path (str): From the folder of the classes.
        label (int): The number of its class.
        size (int): Bytes.
    """

    path: str
    label: int
    size: int

    @property
    def bytes_in_tar(self) -> int:
        """With headers, and with the file of its label."""
        block = tarfile.BLOCKSIZE
        return 3 * block + -(-self.size // block) * block


def folders_to_shards(
    folder: Path, out: Path, megabytes: int = 128
) -> Dict[str, int]:
    """Write ``<part>/<part>-<number>.tar`` and ``classes.txt``.

    Args:
        folder (Path): Holds ``train/<class>/*`` and ``val/<class>/*``.
        out (Path): Where the shards go; those that are there already, of the
            same photos, are kept.
        megabytes (int): Of a shard, about. Defaults to 128.

    Returns:
        dict[str, int]: Images of 'train' and 'val'.

    Raises:
        UsageError: If the folder is not laid out so, photos are damaged, or
            ``out`` holds shards of others.
        OSError: If the disk has not room for all.
    """
    if megabytes < 1:
        raise UsageError(f'--megabytes {megabytes}: give at least 1.')
    places = _parts_of(folder)
    classes = subfolders(places['train'])
    photos = {
        part: _photos_in(place, classes) for part, place in places.items()
    }
    out.mkdir(parents=True, exist_ok=True)
    remaining = 0
    shards = {}
    for part, some in photos.items():
        shards[part] = _planned(out / part, some, megabytes)
        remaining += _size_of(shards[part].values())
    require_space(out, remaining)
    for part, place in places.items():
        bad = find_bad_images(
            [str(place / p.path) for s in shards[part].values() for p in s]
        )
        refuse(
            first_few(
                [f'{one}: replace it, or remove it.' for one in bad],
                'images are missing or damaged.',
            )
        )
    with atomic_path(out / CLASSES) as temporary:
        temporary.write_text(''.join(f'{name}\n' for name in classes))
    with Progress(disable=not remaining) as progress:
        task = progress.add_task(f'writing {out.name}', total=remaining)
        for part, place in places.items():
            for path, some in shards[part].items():
                _write(path, place, some)
                progress.advance(task, _size_of([some]))
    for part in places:
        read_shards(out / part, '*.tar')  # and keep what they hold
    return {part: len(some) for part, some in photos.items()}


def _parts_of(folder: Path) -> Dict[str, Path]:
    if not folder.is_dir():
        raise UsageError(f'there is no folder {folder}.')
    names = dict(train=subfolder(folder, TRAIN), val=subfolder(folder, VAL))
    missing = [part for part, name in names.items() if name is None]
    if missing:
        raise UsageError(
            f'{folder} has no folder {missing[0]}: lay the photos out as '
            'train/<class>/* and val/<class>/*.'
        )
    return {part: folder / name for part, name in names.items()}


def _photos_in(place: Path, classes: List[str]) -> List[Photo]:
    """The photos of a part, sorted by class and name."""
    unknown = [name for name in subfolders(place) if name not in classes]
    images = {name: images_in(place / name) for name in classes}
    without = [name for name, some in images.items() if not some]
    if unknown or without or not images:
        problem = 'has no class folders'
        if unknown:
            problem = f'has {few(unknown)}, which are no classes of train'
        elif without:
            problem = f'has no image of {few(without)}'
        raise UsageError(
            f'{place} {problem}: lay the photos out as train/<class>/* and '
            'val/<class>/*, with the same classes.'
        )
    return [
        Photo(f'{name}/{image}', label, os.stat(place / name / image).st_size)
        for label, (name, some) in enumerate(images.items())
        for image in some
    ]


def _planned(
    folder: Path, photos: List[Photo], megabytes: int
) -> Dict[Path, List[Photo]]:
    """What each shard holds that is still to be written."""
    made_of = json.dumps([megabytes, photos]).encode()
    digest = dict(made_of=hashlib.sha256(made_of).hexdigest())
    plan = folder / PLAN
    there = sorted(folder.glob('*.tar'))
    if there and _said_in(plan) != digest:
        raise UsageError(
            f'{folder} holds shards of other photos, or of another size: '
            'give another folder, or remove it.'
        )
    with atomic_path(plan) as temporary:
        temporary.write_text(json.dumps(digest))
    remove_leftovers(folder)
    shuffled = random.Random(SEED).sample(photos, len(photos))
    shards: List[List[Photo]] = []
    room = 0
    for photo in shuffled:
        if photo.bytes_in_tar > room and (not shards or shards[-1]):
            shards.append([])
            room = megabytes * MEGABYTE
        shards[-1].append(photo)
        room -= photo.bytes_in_tar
    named = {
        folder / f'{folder.name}-{number:06}.tar': shard
        for number, shard in enumerate(shards)
    }
    return {path: s for path, s in named.items() if path not in there}


def _said_in(plan: Path) -> object:
    try:
        return json.loads(plan.read_text())
    except (OSError, ValueError):
        return None


def _size_of(shards: Iterable[List[Photo]]) -> int:
    return sum(
        tarfile.RECORDSIZE + sum(photo.bytes_in_tar for photo in shard)
        for shard in shards
    )


def _write(path: Path, place: Path, photos: List[Photo]) -> None:
    """Write a shard; its keys are unlike, whatever the files are called."""
    with (
        atomic_path(path) as temporary,
        tarfile.open(temporary, 'w', format=tarfile.PAX_FORMAT) as archive,
    ):
        for number, photo in enumerate(photos):
            file = Path(photo.path)
            plain = file.stem.replace('.', '_')
            key = f'{file.parts[0]}/{number:06}_{plain}'
            content = (place / file).read_bytes()
            _add(archive, key + file.suffix.lower(), content)
            _add(archive, f'{key}.cls', str(photo.label).encode())


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


def main() -> None:
    """Run the command line."""
    parser = command_parser(__doc__, EXAMPLES)
    parser.add_argument(
        'folder', type=Path, help='holds train/<class>/* and val/<class>/*'
    )
    parser.add_argument('out', type=Path, help='where the shards go')
    parser.add_argument(
        '--megabytes',
        type=int,
        default=128,
        metavar='N',
        help='of a shard, about (default: %(default)s)',
    )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        counts = folders_to_shards(args.folder, args.out, args.megabytes)
    for part, count in counts.items():
        print(f'{args.out / part}: {count:,} images')


if __name__ == '__main__':
    main()
