"""Class folders, described as a dataset for classification."""

from pathlib import Path
from typing import Dict, Iterable, List, Tuple

from PIL import Image

from mmdrloc.datasets.catalog import Description
from mmdrloc.utils.errors import UsageError, few
from mmdrloc.utils.images import evenly_spaced
from .parts import (
    IMAGES,
    MAPS,
    SUFFIXES,
    TRAIN,
    VAL,
    files_in,
    images_in,
    is_image,
    part_of,
    subfolder,
    subfolders,
)

LAYOUT = 'train/<class>/* and val/<class>/*, or <class>/*'
# Images as small as these are enlarged whole, as the paper does with CIFAR.
SMALL = 64
# How many of them are looked at.
SAMPLE = 20


def describe(folder: Path) -> Tuple[Description, List[str]]:
    """Describe class folders; see :func:`mmdrloc.datasets.folders.describe`.

    Without a folder to validate on, a fifth of each class is held out.
    """
    if [*folder.glob('*.parquet'), *folder.glob('*/*.parquet')]:
        raise UsageError(
            f'{folder} holds parquet files: write them as class folders with '
            f'`python tools/dataset_converters/parquet_to_folders.py {folder} '
            'OUT`.'
        )
    inside = subfolder(folder, TRAIN)
    val = inside and subfolder(folder, VAL)
    others = [] if inside else subfolders(folder)
    others = [n for n in others if n.lower() in (*IMAGES, *MAPS, *VAL)]
    if others:
        raise UsageError(
            f'{folder} is not laid out for classification: looked for '
            f'{LAYOUT}, and found {few(others)} without train.'
        )
    train = folder / (inside or '')
    images = _images_of_classes(folder, train)
    notes = _left_out(train)
    if val:
        num_train = sum(map(len, images.values()))
        num_val = _count_to_validate(folder / val, train, images, notes)
        notes += _left_out(folder / val)
    else:
        num_train, num_val = _count_held_out(train, images)
        notes.append(
            f'{folder} has no folder val: {num_val:,} of '
            f'{num_train + num_val:,} images, a fifth of each class, are held '
            'out to validate, the same ones in each run.'
        )
    both = dict(
        type='mmdrloc.ClassFolders', metainfo=dict(classes=list(images))
    )
    data = dict(
        num_classes=len(images),
        num_train=num_train,
        num_val=num_val,
        small_images=_are_small(
            train / name / image for name in images for image in images[name]
        ),
        train_dataset=dict(
            both, data_root=str(train), part='all' if val else 'train'
        ),
        val_dataset=dict(
            both,
            data_root=str(folder / val if val else train),
            part='all' if val else 'val',
        ),
    )
    return data, notes


def _images_of_classes(folder: Path, train: Path) -> Dict[str, List[str]]:
    images = {name: images_in(train / name) for name in subfolders(train)}
    full = [name for name in images if images[name]]
    if len(full) < 2:
        found = f'{len(full)} class folder{"" if len(full) == 1 else "s"}'
        if full:
            found += f' ({train / full[0]})'
        near = _class_folders_near(folder)
        looked = f'looked for {LAYOUT} ({", ".join(SUFFIXES)})'
        raise UsageError(
            f'found {found} with images in {train}, at least 2 are needed: '
            f'{f"did you mean {near}?" if near else f"{looked}."}'
        )
    if len(full) < len(images):
        without = [name for name in images if not images[name]]
        raise UsageError(
            f'{train} has no image in {len(without)} of its {len(images)} '
            f'class folders ({few(without)}): put images there, or remove '
            'the folders.'
        )
    return images


def _class_folders_near(folder: Path) -> str:
    """A folder above or below that has class folders, and how many."""
    above = [folder.parent] * any(map(is_image, _names(folder)))
    for place in [*(folder / name for name in subfolders(folder)), *above]:
        place = place / (subfolder(place, TRAIN) or '')
        number = sum(
            any(map(is_image, _names(place / name)))
            for name in subfolders(place)
        )
        if number > 1:
            place = place.parent if place.name.lower() in TRAIN else place
            return f'{place}, which has {number}'
    return ''


def _names(folder: Path) -> List[str]:
    return [path.name for path in folder.iterdir()]


def _count_held_out(
    train: Path, images: Dict[str, List[str]]
) -> Tuple[int, int]:
    lonely = [name for name, some in images.items() if len(some) < 2]
    if lonely:
        raise UsageError(
            f'{train} has a single image of {few(lonely)}: no part can be '
            'held out to validate, add images or a folder val beside train.'
        )
    train_count, val_count = (
        sum(len(part_of(some, part, name)) for name, some in images.items())
        for part in ('train', 'val')
    )
    return train_count, val_count


def _count_to_validate(
    val: Path, train: Path, classes: Dict[str, List[str]], notes: List[str]
) -> int:
    images = {name: images_in(val / name) for name in subfolders(val)}
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
    without = [name for name in classes if not images.get(name)]
    if without:
        notes.append(f'{val} has no image of {few(without)}.')
    return sum(map(len, images.values()))


def _left_out(place: Path) -> List[str]:
    """Files that are no images for us: photos of a telephone, say."""
    files = [
        Path(file)
        for name in subfolders(place)
        for file in files_in(place / name)
        if not is_image(file)
    ]
    if not files:
        return []
    kinds = sorted({file.suffix.lower() or file.name for file in files})
    return [
        f'{len(files)} files in {place} are left out, as they are no images '
        f'that can be read here ({few(kinds)}).'
    ]


def _are_small(paths: Iterable[Path]) -> bool:
    """Whether images are as small as CIFAR's."""
    sizes = []
    for path in evenly_spaced(list(paths), SAMPLE):
        try:
            with Image.open(path) as image:
                sizes.append(max(image.size))
        except OSError:  # the preflight names it
            continue
    return bool(sizes) and max(sizes) <= SMALL
