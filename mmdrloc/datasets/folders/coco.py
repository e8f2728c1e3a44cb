"""A folder in COCO's format, described as a dataset for detection."""

import json
import re
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

from mmdrloc.datasets.catalog import Description
from mmdrloc.utils.errors import UsageError, few, first_line, shown
from .parts import TRAIN, VAL, palette

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
        annotations (Path): Their file.
        images (str): The folder of the images, from the data set's.
        classes (list[str]): In the order of the file, in which mmdet numbers
            them.
        num_images (int): How many.
        has_masks (bool): Whether any object has one.
    """

    annotations: Path
    images: str
    classes: List[str]
    num_images: int
    has_masks: bool


def describe(folder: Path) -> Tuple[Description, List[str]]:
    """Describe COCO; see :func:`mmdrloc.datasets.folders.describe`."""
    train, val = _part(folder, TRAIN), _part(folder, VAL)
    if train.classes != val.classes:
        raise UsageError(
            f'{train.annotations} has the categories{shown(train.classes)}, '
            f'{val.annotations}{shown(val.classes)}: labels would mean '
            'different things, give both the same list.'
        )
    colors = [tuple(color) for color in palette(len(train.classes))]
    metainfo = dict(classes=train.classes, palette=colors)

    def dataset(part: Part, **options: Any) -> Dict[str, Any]:
        return dict(
            type='mmdet.CocoDataset',
            data_root=str(folder),
            ann_file=part.annotations.relative_to(folder).as_posix(),
            data_prefix=dict(img=part.images),
            metainfo=metainfo,
            **options,
        )

    kept = dict(filter_empty_gt=True, min_size=32)
    data = dict(
        num_classes=len(train.classes),
        num_train=train.num_images,
        num_val=val.num_images,
        has_masks=train.has_masks,
        train_dataset=dataset(train, filter_cfg=kept),
        val_dataset=dataset(val, test_mode=True),
    )
    return data, []


def _part(folder: Path, names: Sequence[str]) -> Part:
    file = _annotations(folder, names)
    try:
        content = json.loads(file.read_bytes())
        images = [str(image['file_name']) for image in content['images']]
        classes = [str(entry['name']) for entry in content['categories']]
        masks = [entry.get('segmentation') for entry in content['annotations']]
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(
            f'{file} is no JSON that can be read: {first_line(error)}.'
        ) from error
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f'{file} is no annotations in COCO format: it needs lists of '
            '`images` with file_name, `categories` with name, and '
            '`annotations`.'
        ) from error
    for what, found in (('images', images), ('categories', classes)):
        if not found:
            raise UsageError(f'{file} has no {what}.')
    twice = sorted({name for name in classes if classes.count(name) > 1})
    if twice:
        raise UsageError(
            f'{file} has two categories with the name {few(twice)}: rename '
            'one of them.'
        )
    place = _images(folder, file, names, images)
    return Part(file, place, classes, len(images), any(masks))


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
    folder: Path, file: Path, names: Sequence[str], images: List[str]
) -> str:
    """The folder from which the annotations name the images."""
    stem = re.sub('^instances_', '', file.stem)
    places = [file.parent.relative_to(folder).as_posix()]
    for name in dict.fromkeys([stem, *names]):
        places += [name, f'images/{name}']
    places += ['images', '.']
    for place in places:
        if any((folder / place / name).is_file() for name in images[:SAMPLE]):
            return place
    raise UsageError(
        f'{file} names {images[0]}, which is in none of '
        f'{", ".join(str(folder / place) for place in places)}: put the '
        'images there.'
    )
