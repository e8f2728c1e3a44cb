"""A folder in COCO's format, described as a dataset for detection."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

from mmdrloc.datasets.catalog import Description
from mmdrloc.utils.errors import UsageError, cause, few, in_brackets
from mmdrloc.utils.files import sha256_of
from .splits import TRAIN, VAL, copies_in

# Where the annotations of a part are: as COCO has them, as others write them.
ANNOTATIONS = (
    'annotations/instances_{}.json',
    'annotations/instances_{}20[0-9][0-9].json',
    'annotations/{}.json',
    '{}/_annotations.coco.json',
    '{}/annotations.json',
    '{}.json',
)
# Smaller images are not trained on, as in mmdet's own configs.
MIN_SIDE = 32
# Some images whose files are looked for.
SAMPLE = 5


def describe(folder: Path) -> Tuple[Description, List[str]]:
    """Describe COCO; see :func:`mmdrloc.datasets.choice.choose`."""
    data: Dict[str, Any] = {}
    found = {}
    paths = {}
    notes: List[str] = []
    for part, names in (('train', TRAIN), ('val', VAL)):
        file = _annotations(folder, names)
        images, classes, has_masks, left_out = _read(file)
        found[file] = classes
        place = _place(folder, file, names, images)
        paths[part] = [folder / place / image for image in images]
        data[f'num_{part}'] = len(images)
        data[f'{part}_dataset'] = dict(
            type='mmdet.CocoDataset',
            data_root=str(folder),
            ann_file=file.relative_to(folder).as_posix(),
            data_prefix=dict(img=place),
            metainfo=dict(classes=classes, palette='random'),
        )
        data.setdefault('has_masks', has_masks)
        notes += left_out * (part == 'train')
        data.setdefault('num_classes', len(classes))
    if len({*map(tuple, found.values())}) > 1:
        said = [
            f'{file} has the categories{in_brackets(found[file])}'
            for file in found
        ]
        raise UsageError(
            f'{", ".join(said)}: labels would mean different things, give '
            'both the same list.'
        )
    sums = ' '.join(map(sha256_of, found))
    data['data_files'] = sha256(sums.encode()).hexdigest()[:16]
    filters = dict(filter_empty_gt=True, min_size=MIN_SIDE)
    data['train_dataset']['filter_cfg'] = filters
    data['val_dataset']['test_mode'] = True
    return data, notes + copies_in(paths['train'], paths['val'])


def _read(file: Path) -> Tuple[List[str], List[str], bool, List[str]]:
    """Images, classes, whether there are masks, and a note of images left out.

    The preflight sees the rest.
    """
    try:
        content = json.loads(file.read_bytes())
        images = [str(image['file_name']) for image in content['images']]
        classes = [entry['name'] for entry in content['categories']]
        small = sum(
            min(one['width'], one['height']) < MIN_SIDE
            for one in content['images']
        )
        shown = {one['image_id'] for one in content['annotations']}
        empty = sum(one['id'] not in shown for one in content['images'])
        masks = [entry.get('segmentation') for entry in content['annotations']]
        if not (images and classes):
            raise ValueError('no image or no category')
        if not all(isinstance(name, str) for name in classes):
            raise ValueError('names of categories that are no text')
        if len({*classes}) < len(classes):
            raise ValueError('two categories of one name')
    except Exception as error:  # damaged files fail in many ways
        raise UsageError(
            f'{file} is no annotations in COCO format ({cause(error)}): it '
            'needs lists of `images` with id, file_name, width and height, '
            '`categories` with a name each in quotes, and `annotations`.'
        ) from error
    note = (
        f'{file}: images with a side under {MIN_SIDE} px ({small}) or without '
        f'objects ({empty}) are not trained on.'
    )
    return images, classes, any(masks), [note] * bool(small or empty)


def _annotations(folder: Path, names: Sequence[str]) -> Path:
    patterns = [p.format(name) for name in names for p in ANNOTATIONS]
    for pattern in patterns:
        found = sorted(folder.glob(pattern))
        if len(found) > 1:
            raise UsageError(
                f'{folder} has several annotation files '
                f'({few([path.name for path in found])}): leave one '
                'there, or describe the dataset in a config.'
            )
        if found:
            return found[0]
    if (folder / 'ImageSets/Main').is_dir():
        raise UsageError(
            f"{folder} is in the format of Pascal VOC: write it in COCO's "
            f'with `python tools/dataset_converters/voc_to_coco.py {folder} '
            'OUT`.'
        )
    looked = ', '.join(patterns[: len(ANNOTATIONS)])
    others = f' (or {", ".join(names[1:])} for {names[0]})'
    raise UsageError(
        f'{folder} is not laid out for detection, in COCO format: looked for '
        f'{looked.replace("20[0-9][0-9]", "2017")}{others}.'
    )


def _place(
    folder: Path, file: Path, names: Sequence[str], images: List[str]
) -> str:
    """The folder from which the annotations name the images."""
    places = [file.parent.relative_to(folder).as_posix()]
    for name in (file.stem.removeprefix('instances_'), *names):
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
