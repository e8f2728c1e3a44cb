"""A folder in COCO's format, as a data set to detect objects in."""

import re
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Sequence

from mmdrloc.datasets.coco_file import CocoFile, read_coco
from mmdrloc.utils.errors import UsageError, few, refuse, shown
from .folder import TRAIN, VAL, FolderData, palette

# Where the annotations of a part are: as COCO has them, as others write them.
ANNOTATIONS = (
    'annotations/instances_{}.json',
    'annotations/instances_{}20[0-9][0-9].json',
    'annotations/{}.json',
    '{}/_annotations.coco.json',
    '{}/annotations.json',
    '{}.json',
)
# Some images whose files are looked for.
SAMPLE = 5


class Part(NamedTuple):
    """What there is to train or to validate on.

    Args:
        annotations (str): Their file, from the folder.
        images (str): The folder of the images, from the folder.
        content (CocoFile): Of the annotations.
    """

    annotations: str
    images: str
    content: CocoFile

    @property
    def classes(self) -> List[str]:
        """Names in the order of the file, in which mmdet numbers them."""
        return list(self.content.categories.values())


def describe(folder: Path) -> FolderData:
    """Describe a folder as the file of a data set would.

    Args:
        folder (Path): The user's.

    Returns:
        FolderData: The variables of a data set.

    Raises:
        UsageError: If it is not laid out so, or the annotations cannot be
            used.
    """
    train, val = _part(folder, TRAIN), _part(folder, VAL)
    if train.classes != val.classes:
        raise UsageError(
            f'{folder / train.annotations} has the categories'
            f'{shown(train.classes)}, {folder / val.annotations}'
            f'{shown(val.classes)}: labels would mean different things, give '
            'both the same list.'
        )
    if not train.classes:
        raise UsageError(f'{folder / train.annotations} has no categories.')
    has_masks = any(
        entry.get('segmentation') for entry in train.content.annotations
    )
    metainfo = dict(
        classes=train.classes,
        palette=[tuple(color) for color in palette(len(train.classes))],
    )

    def dataset(part: Part, **options: Any) -> Dict[str, Any]:
        return dict(
            type='mmdet.CocoDataset',
            data_root=str(folder),
            ann_file=part.annotations,
            data_prefix=dict(img=part.images),
            metainfo=metainfo,
            **options,
        )

    return FolderData(
        dict(
            num_classes=len(train.classes),
            num_train=len(train.content.images),
            num_val=len(val.content.images),
            has_masks=has_masks,
            metainfo=metainfo,
            val_ann_file=str(folder / val.annotations),
            train_dataset=dataset(
                train, filter_cfg=dict(filter_empty_gt=True, min_size=32)
            ),
            val_dataset=dataset(val, test_mode=True),
        ),
        [],
    )


def _part(folder: Path, names: Sequence[str]) -> Part:
    file = _annotations(folder, names)
    content, findings = read_coco(str(file))
    refuse(findings)
    if not content.images:
        raise UsageError(f'{file} names no images.')
    return Part(
        file.relative_to(folder).as_posix(),
        _images(folder, file, names, content),
        content,
    )


def _annotations(folder: Path, names: Sequence[str]) -> Path:
    for name in names:
        for pattern in ANNOTATIONS:
            found = sorted(folder.glob(pattern.format(name)))
            if len(found) > 1:
                raise UsageError(
                    f'{folder} has several annotation files '
                    f'({few([path.name for path in found])}): leave one '
                    'there, or describe the data set in a config.'
                )
            if found:
                return found[0]
    if (folder / 'ImageSets/Main').is_dir():
        raise UsageError(
            f"{folder} is in the format of Pascal VOC: write it in COCO's "
            f'with `python tools/dataset_converters/voc_to_coco.py {folder} '
            'OUT`.'
        )
    looked = ', '.join(pattern.format(names[0]) for pattern in ANNOTATIONS)
    others = f' (or {", ".join(names[1:])} for {names[0]})'
    raise UsageError(
        f'{folder} is not laid out for detection, in COCO format: looked for '
        f'{looked.replace("20[0-9][0-9]", "2017")}{others}.'
    )


def _images(
    folder: Path, file: Path, names: Sequence[str], content: CocoFile
) -> str:
    """The folder from which the annotations name the images."""
    images = list(content.images.values())[:SAMPLE]
    stem = re.sub('^instances_', '', file.stem)
    places = [file.parent.relative_to(folder).as_posix()]
    for name in dict.fromkeys([stem, *names]):
        places += [name, f'images/{name}']
    places += ['images', '.']
    for place in places:
        there = [folder / place / image['file_name'] for image in images]
        if any(path.is_file() for path in there):
            return place
    raise UsageError(
        f'{file} names {images[0]["file_name"]}, which is in none of '
        f'{", ".join(str(folder / place) for place in places)}: put the '
        'images there.'
    )
