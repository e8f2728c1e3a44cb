#!/usr/bin/env python
"""Convert a dataset from Pascal VOC's format to COCO's.

The classes are those of the objects. Objects marked as difficult become
crowds, which the metric counts neither as found nor as missed.
"""

import glob
import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, Tuple
from xml.etree import ElementTree

from PIL import Image, ImageOps

from mmdrloc.apis.cli import Parser
from mmdrloc.datasets.folders.splits import is_image
from mmdrloc.utils.errors import (
    UsageError,
    few,
    usage_errors_in_one_sentence,
)
from mmdrloc.utils.files import atomic_folder

EXAMPLES = """examples:
  python tools/dataset_converters/voc_to_coco.py VOCdevkit/VOC2012 data/voc2012
  python tools/dataset_converters/voc_to_coco.py VOCdevkit/VOC2007 \\
      data/voc2007 --train trainval --val test
"""


def voc_to_coco(
    folder: Path, out: Path, train: str = 'train', val: str = 'val'
) -> Dict[str, Tuple[int, int]]:
    """Write ``annotations/instances_{train,val}.json`` and their images.

    Args:
        folder (Path): With ``Annotations``, ``JPEGImages`` and
            ``ImageSets/Main``.
        out (Path): The folder to make.
        train (str): List in ``ImageSets/Main`` of the training images.
        val (str): List of the validation images.

    Returns:
        dict[str, tuple[int, int]]: Images and boxes of 'train' and 'val'.

    Raises:
        UsageError: If a file is missing or wrong, or ``out`` exists.
    """
    parts = {
        part: [_read(folder, name) for name in _names(folder, listed)]
        for part, listed in (('train', train), ('val', val))
    }
    photos = [photo for part in parts.values() for photo in part]
    classes = sorted({name for *_, found in photos for name, *_ in found})
    if not classes:
        raise UsageError(f'{folder / "Annotations"} has no object.')
    counts = {}
    with atomic_folder(out) as new:
        (new / 'annotations').mkdir()
        for part, photos in parts.items():
            content = _as_coco(photos, classes)
            file = new / f'annotations/instances_{part}.json'
            file.write_text(json.dumps(content))
            counts[part] = len(photos), len(content['annotations'])
            (new / part).mkdir()
            for path, *_ in photos:
                shutil.copyfile(path, new / part / path.name)
    return counts


def _names(folder: Path, listed: str) -> List[str]:
    file = folder / 'ImageSets/Main' / f'{listed}.txt'
    if not file.is_file():
        raise UsageError(
            f'there is no {file}: give a folder in the format of Pascal VOC, '
            'with Annotations, JPEGImages and ImageSets/Main.'
        )
    lines = file.read_text('utf-8-sig', 'replace').splitlines()
    names = [line.strip() for line in lines if line.strip()]
    if not names or any(Path(name).name != name for name in names):
        raise UsageError(f'{file} is empty or has paths in place of names.')
    is_there = (folder / f'Annotations/{names[0]}.xml').is_file()
    if re.fullmatch(r'\S+\s+(-1|0|1)', names[0]) and not is_there:
        raise UsageError(
            f'{file} is the list of a class, with 1 for its images and -1 for '
            'others: give that of a split.'
        )
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise UsageError(f'{file} has {few(twice)} twice.')
    return names


def _read(folder: Path, name: str) -> tuple:
    """Path, size and objects of an image."""
    file = folder / 'Annotations' / f'{name}.xml'
    try:
        root = ElementTree.parse(file).getroot()
        # `name.1.jpg` is another image.
        there = (folder / 'JPEGImages').glob(f'{glob.escape(name)}.*')
        paths = [p for p in there if p.stem == name and is_image(p.name)]
        if len(paths) != 1:
            raise ValueError(
                f'{folder / "JPEGImages"} has {len(paths)} images of this name'
            )
        with Image.open(paths[0]) as image:
            size = ImageOps.exif_transpose(image).size  # as it is loaded
            is_turned = size != image.size
        said = tuple(
            int(float(root.findtext(f'size/{side}') or 0))
            for side in ('width', 'height')
        )
        # Not all files have the size, and some have it the other way round.
        swapped = () if is_turned else size[::-1]
        if all(said) and said not in (size, swapped):
            raise ValueError(
                f'the boxes are of {said[0]} x {said[1]} pixels, and the '
                f'image is loaded, upright, as {size[0]} x {size[1]}'
            )
        objects = [_object(node, size) for node in root.iter('object')]
    except (OSError, ElementTree.ParseError, ValueError) as error:
        raise UsageError(
            f'{file} or its image cannot be used: {error}.'
        ) from error
    return paths[0], size, objects


def _object(node: ElementTree.Element, size: Tuple[int, int]) -> tuple:
    """Name, box and whether it is difficult.

    VOC counts pixels from 1, and the last one belongs to the box.
    """
    name = (node.findtext('name') or '').strip()
    left, top, right, bottom = (
        float(node.findtext(f'bndbox/{side}') or 'nan')
        for side in ('xmin', 'ymin', 'xmax', 'ymax')
    )
    left, top = max(left - 1, 0), max(top - 1, 0)
    width, height = min(right, size[0]) - left, min(bottom, size[1]) - top
    if not (name and width > 0 and height > 0):
        raise ValueError(
            f'an object has no name, or a box ({name}) is missing, empty or '
            'outside of the image'
        )
    difficult = (node.findtext('difficult') or '0').strip() == '1'
    return name, [left, top, width, height], difficult


def _as_coco(photos: List[tuple], classes: List[str]) -> Dict[str, Any]:
    images, annotations = [], []
    for number, (path, (width, height), objects) in enumerate(photos, 1):
        image = dict(id=number, file_name=path.name)
        images.append(dict(image, width=width, height=height))
        for name, box, difficult in objects:
            annotations.append(
                dict(
                    id=len(annotations) + 1,
                    image_id=number,
                    category_id=classes.index(name) + 1,
                    bbox=box,
                    area=box[2] * box[3],
                    iscrowd=int(difficult),
                )
            )
    categories = [dict(id=n, name=name) for n, name in enumerate(classes, 1)]
    return dict(images=images, annotations=annotations, categories=categories)


def main() -> None:
    """Run the command line."""
    parser = Parser(description=__doc__, epilog=EXAMPLES)
    parser.add_argument('folder', type=Path, help='in the format of VOC')
    parser.add_argument('out', type=Path, help='folder to make')
    for part in ('train', 'val'):
        parser.add_argument(
            f'--{part}',
            default=part,
            metavar='LIST',
            help='the list in ImageSets/Main (default: %(default)s)',
        )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        counts = voc_to_coco(args.folder, args.out, args.train, args.val)
    for part, (images, boxes) in counts.items():
        print(f'{args.out}, {part}: {images:,} images, {boxes:,} boxes')


if __name__ == '__main__':
    main()
