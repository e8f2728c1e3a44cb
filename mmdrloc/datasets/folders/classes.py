"""Class folders, described as a dataset for classification."""

import re
from pathlib import Path
from typing import Any, Dict, Iterable, List, Tuple

from PIL import Image

from mmdrloc.datasets.catalog import Description
from mmdrloc.utils.errors import UsageError, counted, few
from mmdrloc.utils.images import evenly_spaced
from . import parts
from .parts import files_in, images_in, is_image, subfolder, subfolders

LAYOUT = 'train/<class>/* and val/<class>/*, or <class>/*'
# Images as small as these are enlarged whole, as the paper does with CIFAR.
SMALL = 64
# How many of them are looked at.
SAMPLE = 20
# What Python makes of bytes that are no UTF-8.
UNDECODED = re.compile('[\udc80-\udcff]')
Images = Dict[str, List[str]]


def describe(folder: Path) -> Tuple[Description, List[str]]:
    """Describe class folders; see :func:`mmdrloc.datasets.choice.choose`.

    Without a folder to validate on, a fifth of each class is held out.
    """
    if any(folder.glob('*.parquet')) or any(folder.glob('*/*.parquet')):
        raise UsageError(
            f'{folder} holds parquet files: write them as class folders with '
            f'`python tools/dataset_converters/parquet_to_folders.py {folder} '
            'OUT`.'
        )
    inside = subfolder(folder, parts.TRAIN)
    train = folder / (inside or '')
    images = _images_of(train)
    _check_classes(folder, train, images)
    paths = [train / name / image for name in images for image in images[name]]
    both: Dict[str, Any] = dict(
        type='mmdrloc.ClassFolders', metainfo=dict(classes=list(images))
    )
    data: Dict[str, Any] = dict(
        num_classes=len(images),
        num_train=len(paths),
        smallest=min(map(len, images.values())),
        small_images=_are_small(evenly_spaced(paths, SAMPLE)),
        train_dataset=dict(both, data_root=str(train), part='all'),
        val_dataset=dict(both, data_root=str(train), part='val'),
    )
    notes = _left_out(train)
    val_name = inside and subfolder(folder, parts.VAL)
    if val_name:
        val = folder / val_name
        data['num_val'] = _count_to_validate(val, train, images)
        data['val_dataset'].update(data_root=str(val), part='all')
        notes += _left_out(val)
    else:
        held_out = (parts.part_of(images[n], 'val', n) for n in images)
        data['num_val'] = number = sum(map(len, held_out))
        data['num_train'] -= number
        data['train_dataset']['part'] = 'train'
        notes.append(
            f'{folder} has no folder val: {number:,} of {len(paths):,} '
            'images, a fifth of each class, are held out to validate, the '
            'same ones in each run.'
        )
    return data, notes


def _images_of(place: Path) -> Images:
    names = subfolders(place)
    odd = [ascii(name) for name in names if UNDECODED.search(name)]
    if odd:  # no config could hold them
        raise UsageError(
            f'{place} has folders whose names are no text in UTF-8: rename '
            f'{few(odd)}.'
        )
    return {name: images_in(place / name) for name in names}


def _check_classes(folder: Path, train: Path, images: Images) -> None:
    full = [name for name in images if images[name]]
    others = (*parts.IMAGES, *parts.MAPS, *parts.VAL)
    wrong = [name for name in full if name.lower() in others]
    if len(full) < 2 or wrong and train == folder:
        found = counted(len(full), 'class folder')
        if wrong:
            found = f'{few(wrong)}, which are no classes,'
        elif full:
            found += f' ({train / full[0]})'
        raise UsageError(
            f'found {found} with images in {train}, at least 2 class folders '
            f'are needed: {_near(folder) or f"looked for {LAYOUT}."}'
        )
    empty = [name for name in images if not images[name]]
    if empty:
        raise UsageError(
            f'{train} has no image in {len(empty)} of its {len(images)} '
            f'class folders ({few(empty)}): put images there, or remove '
            'the folders.'
        )


def _near(folder: Path) -> str:
    """A folder above or below that has class folders, and how many."""
    places = [folder / name for name in subfolders(folder)]
    if any(is_image(path.name) for path in folder.iterdir()):
        places.append(folder.parent)
    for place in places:
        train = place / (subfolder(place, parts.TRAIN) or '')
        number = sum(
            any(is_image(path.name) for path in (train / name).iterdir())
            for name in subfolders(train)
        )
        if number > 1:
            return f'did you mean {place}, which has {number}?'
    return ''


def _count_to_validate(val: Path, train: Path, classes: Images) -> int:
    images = _images_of(val)
    unknown = [n for n, some in images.items() if some and n not in classes]
    if unknown:
        raise UsageError(
            f'{val} has images of {few(unknown)}, and {train} has no such '
            'folder: rename the folders, so that both have the same classes.'
        )
    if not any(images.values()):
        raise UsageError(
            f'{val} has no images in class folders: looked for {LAYOUT}; '
            'without such a folder a part is held out.'
        )
    return sum(map(len, images.values()))


def _left_out(place: Path) -> List[str]:
    """Name files that cannot be read as images, such as HEIC photos."""
    files = [
        Path(file)
        for name in subfolders(place)
        for file in files_in(place / name)
        if not is_image(file)
    ]
    kinds = sorted({file.suffix.lower() or file.name for file in files})
    return [
        f'{len(files)} files in {place} are left out, as they are no images '
        f'that can be read here ({few(kinds)}).'
    ] * bool(files)


def _are_small(paths: Iterable[Path]) -> bool:
    """Whether images are as small as CIFAR's."""
    sizes = []
    for path in paths:
        try:
            with Image.open(path) as image:
                sizes.append(max(image.size))
        except OSError:  # the preflight names it
            continue
    return bool(sizes) and max(sizes) <= SMALL
