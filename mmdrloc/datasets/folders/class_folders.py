"""A folder of photos in class folders, as a data set to classify."""

from pathlib import Path
from typing import Any, Dict, List, Optional

from torchvision.datasets.folder import IMG_EXTENSIONS, is_image_file

from mmdrloc.datasets.class_folders import files_in, images_in, part_of
from mmdrloc.utils.errors import UsageError, few
from mmdrloc.utils.images import evenly_spaced
from . import shard_folder
from .folder import (
    IMAGES,
    MAPS,
    SAMPLE,
    TRAIN,
    VAL,
    FolderData,
    are_small,
    subfolder,
    subfolders,
)

LAYOUT = 'train/<class>/* and val/<class>/*, or <class>/*'


def describe(folder: Path) -> FolderData:
    """Describe a folder as the file of a data set would.

    Args:
        folder (Path): The user's.

    Returns:
        FolderData: The variables of a data set.

    Raises:
        UsageError: If it is not laid out so.
    """
    if shard_folder.holds_shards(folder):
        return shard_folder.describe(folder)
    train = subfolder(folder, TRAIN)
    val = train and subfolder(folder, VAL)
    _refuse_other_layouts(folder, train)
    place = folder / (train or '')
    images = _images_of_classes(place)
    classes = list(images)
    notes = _left_out(place)
    if val is None:
        parts = _hold_out(place, images)
        places = dict(train=place, val=place)
        held_out, every = len(parts['val']), sum(map(len, images.values()))
        notes.append(
            f'{folder} has no folder val: {held_out:,} of {every:,} images, '
            'a fifth of each class, are held out to validate, the same ones '
            'in each run.'
        )
    else:
        places = dict(train=place, val=folder / val)
        parts = dict(
            train=[image for some in images.values() for image in some],
            val=_images_to_validate(folder / val, place, classes, notes),
        )
        notes += _left_out(folder / val)
    metainfo = dict(classes=classes)

    def part(name: str) -> Dict[str, Any]:
        return dict(
            type='mmdrloc.ClassFolders',
            data_root=str(places[name]),
            metainfo=metainfo,
            part=name if val is None else 'all',
        )

    return FolderData(
        dict(
            num_classes=len(classes),
            num_train=len(parts['train']),
            num_val=len(parts['val']),
            small_images=_are_small(place, images),
            metainfo=metainfo,
            train_dataset=part('train'),
            val_dataset=part('val'),
        ),
        notes,
    )


def _refuse_other_layouts(folder: Path, train: Optional[str]) -> None:
    if [*folder.glob('*.parquet'), *folder.glob('*/*.parquet')]:
        raise UsageError(
            f'{folder} holds parquet files: write them as class folders with '
            f'`python tools/dataset_converters/parquet_to_folders.py {folder} '
            'OUT`.'
        )
    others = [] if train else subfolders(folder)
    others = [name for name in others if name.lower() in (*IMAGES, *MAPS)]
    if others or (not train and subfolder(folder, VAL)):
        found = few(others or [subfolder(folder, VAL)])
        raise UsageError(
            f'{folder} is not laid out for classification: looked for '
            f'{LAYOUT}, and found {found} without train.'
        )


def _images_of_classes(place: Path) -> Dict[str, List[str]]:
    images = {name: images_in(place / name) for name in subfolders(place)}
    without = [name for name, some in images.items() if not some]
    if len(images) - len(without) < 2:
        raise UsageError(
            f'{place} needs two class folders with images at least, and has '
            f'{len(images) - len(without)}: looked for {LAYOUT} '
            f'({", ".join(IMG_EXTENSIONS)}).'
        )
    if without:
        raise UsageError(
            f'{place} has no image in {len(without)} of its {len(images)} '
            f'class folders ({few(without)}): put images there, or remove '
            'the folders.'
        )
    return images


def _hold_out(
    place: Path, images: Dict[str, List[str]]
) -> Dict[str, List[str]]:
    lonely = [name for name, some in images.items() if len(some) < 2]
    if lonely:
        raise UsageError(
            f'{place} has a single image of {few(lonely)}: no part can be '
            'held out to validate, add images or a folder val beside train.'
        )
    return {
        part: [
            image
            for name, some in images.items()
            for image in part_of(some, part, name)
        ]
        for part in ('train', 'val')
    }


def _images_to_validate(
    val: Path, train: Path, classes: List[str], notes: List[str]
) -> List[str]:
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
    return [image for some in images.values() for image in some]


def _left_out(place: Path) -> List[str]:
    """Files that are no images for us: photos of a telephone, say."""
    files = [
        Path(file)
        for name in subfolders(place)
        for file in files_in(place / name)
        if not is_image_file(file)
    ]
    if not files:
        return []
    kinds = sorted({file.suffix.lower() or file.name for file in files})
    return [
        f'{len(files)} files in {place} are left out, as they are no images '
        f'that can be read here ({few(kinds)}).'
    ]


def _are_small(place: Path, images: Dict[str, List[str]]) -> bool:
    paths = [place / name / image for name in images for image in images[name]]
    return are_small(evenly_spaced(paths, SAMPLE))
