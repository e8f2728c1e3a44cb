"""Class folders, described as a dataset for classification."""

import os
from hashlib import sha256
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Tuple

from PIL import Image

from mmdrloc.datasets.catalog import Description
from mmdrloc.utils.errors import UsageError, counted, few
from mmdrloc.utils.images import evenly_spaced
from . import splits
from .splits import (
    copies_in,
    files_in,
    images_in,
    images_of_split,
    is_image,
    subfolder,
    subfolders,
)

LAYOUT = 'train/<class>/* and val/<class>/*, or <class>/*'
# Images as small as these are enlarged whole, as the paper does with CIFAR.
SMALL = 64
# How many of them are looked at.
SAMPLE = 20
Images = Dict[str, List[str]]


def describe(
    folder: Path, labels: bool = True
) -> Tuple[Description, List[str]]:
    """Describe class folders; see :func:`mmdrloc.datasets.choice.choose`.

    Without a folder to validate on, a fifth of each class is held out. Where
    no labels are needed, images in no such folders are one class.
    """
    if any(folder.glob('*.parquet')) or any(folder.glob('*/*.parquet')):
        raise UsageError(
            f'{folder} holds parquet files: write them as class folders with '
            f'`python tools/dataset_converters/parquet_to_folders.py {folder} '
            'OUT`.'
        )
    inside = subfolder(folder, splits.TRAIN)
    val_name = inside and subfolder(folder, splits.VAL)
    if inside and not (val_name or subfolders(folder / inside)):
        inside = None  # a class of that name
    train = folder / (inside or '')
    whole = folder  # of what a part is held out
    images = _images_of(train)
    if labels or _are_whole(train, images):
        _check_classes(folder, train, images)
        notes = _left_out(train)
    else:
        notes = [
            f'{train} has not two class folders or more with all images in '
            'them: all images below it are taken, without labels.'
        ]
        images = {train.name: images_in(train)}
        if not images[train.name]:
            raise UsageError(f'there is no image in {train}.')
        whole, train, val_name = train, train.parent, None
    paths = _paths(train, images)
    notes += _beside(folder, inside, val_name)
    if val_name:
        val, parts, kept = folder / val_name, ('all', 'all'), paths
        shown, told = _validation_images(val, train, images)
        held_out = _paths(val, shown)
    else:
        val, parts = train, ('train', 'val')
        kept, held_out, told = _split(whole, train, images)
    both: Dict[str, Any] = dict(
        type='mmdrloc.ClassFolders', metainfo=dict(classes=list(images))
    )
    # An image in the folder of another class makes other data.
    listed = dict.fromkeys([*paths, *held_out])
    names = '\n'.join(str(path.relative_to(folder)) for path in listed)
    data: Dict[str, Any] = dict(
        num_classes=len(images),
        num_train=len(kept),
        num_val=len(held_out),
        smallest=min(map(len, images.values())),
        small_images=_are_small(evenly_spaced(paths, SAMPLE)),
        data_files=sha256(os.fsencode(names)).hexdigest()[:16],
        train_dataset=dict(both, data_root=str(train), split=parts[0]),
        val_dataset=dict(both, data_root=str(val), split=parts[1]),
    )
    return data, [*notes, *told, *copies_in(kept, held_out)]


def _images_of(place: Path) -> Images:
    return {name: images_in(place / name) for name in subfolders(place)}


def _split(
    folder: Path, train: Path, images: Images
) -> Tuple[List[Path], List[Path], List[str]]:
    """The images to train on, those held out, and a note of it."""
    kept, held_out = (
        _paths(train, {n: images_of_split(images[n], s, n) for n in images})
        for s in ('train', 'val')
    )
    if not held_out:
        raise UsageError(
            f'{folder} has one image for each class: put two or more into one '
            'of its folders, so that one can be held out as validation set, '
            'or validation images into a folder val beside a folder train.'
        )
    note = (
        f'{folder} has no folder val: {len(held_out):,} of '
        f'{len(kept) + len(held_out):,} images, a fifth of each class, are '
        'held out as validation set, the same ones in each run.'
    )
    return kept, held_out, [note]


def _are_whole(train: Path, images: Images) -> bool:
    """Whether class folders hold all images of a folder, and can be split."""
    counts = [*map(len, images.values())]
    beside = any(is_image(file.name) for file in train.iterdir())
    full = len(counts) > 1 and min(counts) > 0 and max(counts) > 1
    return full and not beside


def _check_classes(folder: Path, train: Path, images: Images) -> None:
    full = [name for name in images if images[name]]
    others = (*splits.IMAGES, *splits.MAPS, *splits.VAL)
    are_others = train == folder and {*map(str.lower, full)} <= {*others}
    if len(full) < 2 or are_others:
        found = counted(len(full), 'class folder')
        if full and are_others:
            found = f'{few(full)}, which are no classes,'
        elif full:
            found += f' ({train / full[0]})'
        raise UsageError(
            f'found {found} with images in {train}, at least 2 class folders '
            f'are needed: {_near(folder) or f"looked for {LAYOUT}."}'
        )
    empty = [name for name in images if not images[name]]
    if empty:
        unread = {kind for name in empty for kind in _kinds(train / name)}
        remedy = 'put images there'
        if unread:
            remedy = (
                f'convert to .jpg what cannot be read ({few(sorted(unread))})'
            )
        raise UsageError(
            f'{train} has no image in {len(empty)} of its {len(images)} '
            f'class folders ({few(empty)}): {remedy}, or remove the folders.'
        )


def _near(folder: Path) -> str:
    """A folder above or below that has class folders, and how many."""
    places = [folder / name for name in subfolders(folder)]
    if any(is_image(path.name) for path in folder.iterdir()):
        places.append(folder.parent)
    for place in places:
        train = place / (subfolder(place, splits.TRAIN) or '')
        number = sum(
            any(is_image(path.name) for path in (train / name).iterdir())
            for name in subfolders(train)
        )
        if number > 1:
            return f'did you mean {place}, which has {number}?'
    return ''


def _beside(folder: Path, *parts: Optional[str]) -> List[str]:
    """Name folders of images beside those of training and validation."""
    if parts[0] is None:
        return []
    others = [
        name
        for name in subfolders(folder)
        if name not in parts and any(map(is_image, files_in(folder / name)))
    ]
    if not others:
        return []
    return [f'{folder} has images in {few(others)} too, which are left out.']


def _validation_images(
    val: Path, train: Path, classes: Images
) -> Tuple[Images, List[str]]:
    """Those of a folder of their own, and what to know of it."""
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
    notes = _left_out(val)
    unseen = [name for name in classes if not images.get(name)]
    if unseen:
        notes.append(
            f'{val} has no image of {few(unseen)}: the accuracy is that of '
            'the other classes.'
        )
    if val.name.lower() != 'val':
        notes.append(f'{val} is the validation set.')
    return images, notes


def _paths(place: Path, images: Images) -> List[Path]:
    return [place / name / one for name in images for one in images[name]]


def _kinds(folder: Path) -> List[str]:
    """The suffixes of files that are no images."""
    files = [Path(file) for file in files_in(folder) if not is_image(file)]
    return [file.suffix.lower() or file.name for file in files]


def _left_out(place: Path) -> List[str]:
    """Name files that cannot be read as images, such as HEIC photos."""
    found = [k for n in subfolders(place) for k in _kinds(place / n)]
    beside = [file.name for file in place.iterdir() if is_image(file.name)]
    hidden = [
        path.name
        for path in place.glob('.*/')
        if any(map(is_image, files_in(path)))
    ]
    notes = []
    if found:
        notes.append(
            f'{len(found)} files in {place} are left out, unsupported '
            f'formats: {few(sorted({*found}))}.'
        )
    if beside:
        notes.append(
            f'{len(beside)} images in {place} are left out, being in no '
            f'folder of a class: {few(beside)}.'
        )
    if hidden:
        notes.append(
            f'hidden folders in {place} have images, which are left out: '
            f'{few(sorted(hidden))}.'
        )
    return notes


def _are_small(paths: Iterable[Path]) -> bool:
    """Whether images are as small as CIFAR's."""
    sizes = []
    for path in paths:
        try:
            with Image.open(path) as image:
                sizes.append(max(image.size))
        except OSError:  # the preflight names it
            continue
        except Image.DecompressionBombError:
            return False
    return bool(sizes) and max(sizes) <= SMALL
