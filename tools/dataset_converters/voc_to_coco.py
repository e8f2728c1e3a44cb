#!/usr/bin/env python
"""Write a dataset in Pascal VOC's format as one in COCO's.

The images are linked where the disk allows it, and copied elsewhere. Objects
that are marked difficult become crowds: neither found nor missed.
"""

import argparse
import json
import os
import shutil
from pathlib import Path
from typing import Any, Dict, List, Tuple
from xml.etree import ElementTree

from PIL import Image

from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_folder

EXAMPLES = """examples:
  python tools/dataset_converters/voc_to_coco.py VOCdevkit/VOC2012 data/voc2012

  # VOC 2007 trains on both of its parts
  python tools/dataset_converters/voc_to_coco.py VOCdevkit/VOC2007 \\
      data/voc2007 --train trainval --val test

  # then
  python tools/train.py configs/coco/mask-rcnn_swin-tiny_1x-paper.py \\
      --dataset data/voc2012 --weights FILE
"""
SUFFIXES = ('.jpg', '.jpeg', '.png', '.bmp', '.webp')


def voc_to_coco(
    folder: Path, out: Path, train: str = 'train', val: str = 'val'
) -> Dict[str, Tuple[int, int]]:
    """Write ``annotations/instances_{train,val}.json`` and their images.

    Args:
        folder (Path): With ``Annotations``, ``JPEGImages`` and
            ``ImageSets/Main``.
        out (Path): The folder to make.
        train (str): The list in ``ImageSets/Main`` of what is trained on.
        val (str): The list of what is validated on.

    Returns:
        dict[str, tuple[int, int]]: Images and boxes of 'train' and 'val'.

    Raises:
        UsageError: If something is missing, is no such file, or ``out``
            is there already.
    """
    if out.exists():
        raise UsageError(
            f'{out} is there already: give another folder, or remove it.'
        )
    parts = {
        part: [read_photo(folder, name) for name in _names(folder, listed)]
        for part, listed in (('train', train), ('val', val))
    }
    classes = sorted(
        {box['name'] for p in parts.values() for o in p for box in o['boxes']}
    )
    if not classes:
        raise UsageError(f'{folder / "Annotations"} has no object.')
    with atomic_folder(out) as new:
        (new / 'annotations').mkdir()
        for part, photos in parts.items():
            content = json.dumps(_as_coco(photos, classes))
            (new / f'annotations/instances_{part}.json').write_text(content)
            (new / part).mkdir()
            for photo in photos:
                _link(photo['path'], new / part / photo['path'].name)
    return {
        part: (len(photos), sum(len(photo['boxes']) for photo in photos))
        for part, photos in parts.items()
    }


def read_photo(folder: Path, name: str) -> Dict[str, Any]:
    """Read the annotations of one image.

    Args:
        folder (Path): Of the dataset.
        name (str): Of the image, without suffix.

    Returns:
        dict: ``path``, ``size`` (width and height) and ``boxes``, each with
        ``name``, ``difficult`` and ``box`` (left, top, width, height), which
        ends at the image's border.

    Raises:
        UsageError: If the file is missing, no XML, or lacks something.
    """
    file = folder / 'Annotations' / f'{name}.xml'
    try:
        root = ElementTree.parse(file).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise UsageError(f'{file} is missing or no XML ({error}).') from error
    images = (
        folder / 'JPEGImages' / f'{name}{suffix}'
        for ending in SUFFIXES
        for suffix in (ending, ending.upper())
    )
    path = next((image for image in images if image.is_file()), None)
    if path is None:
        raise UsageError(
            f'{file} is of an image that is not in {folder / "JPEGImages"}.'
        )
    # Its size is not in all files.
    with Image.open(path) as image:
        size = image.size
    boxes = [_box(file, node, size) for node in root.iter('object')]
    return dict(path=path, size=size, boxes=boxes)


def _names(folder: Path, listed: str) -> List[str]:
    file = folder / 'ImageSets/Main' / f'{listed}.txt'
    if not file.is_file():
        raise UsageError(
            f'there is no {file}: give a folder in the format of Pascal VOC, '
            'with Annotations, JPEGImages and ImageSets/Main.'
        )
    lines = file.read_text(encoding='utf-8').splitlines()
    # Lists of one class say after the name whether it is in the image.
    names = [line.split()[0] for line in lines if line.strip()]
    odd = [name for name in names if Path(name).name != name]
    if odd or not names:
        fault = (
            f'names {odd[0]}, which is no plain name' if odd else 'is empty'
        )
        raise UsageError(f'{file} {fault}.')
    return names


def _box(
    file: Path, node: ElementTree.Element, size: Tuple[int, int]
) -> Dict[str, Any]:
    """VOC counts pixels from 1, and a box holds its last one."""
    name = (node.findtext('name') or '').strip()
    try:
        left, top, right, bottom = (
            float(node.findtext(f'bndbox/{side}', ''))
            for side in ('xmin', 'ymin', 'xmax', 'ymax')
        )
    except ValueError as error:
        raise UsageError(
            f'{file}: the box of a {name} has not its four numbers.'
        ) from error
    left, top = max(left - 1, 0), max(top - 1, 0)
    width, height = min(right, size[0]) - left, min(bottom, size[1]) - top
    # What is no number compares as false.
    if not (name and width > 0 and height > 0):
        raise UsageError(
            f'{file}: an object has no name, or the box of a {name} is empty '
            'or outside of the image.'
        )
    difficult = (node.findtext('difficult') or '0').strip() == '1'
    return dict(name=name, difficult=difficult, box=[left, top, width, height])


def _as_coco(photos: List[dict], classes: List[str]) -> Dict[str, Any]:
    numbers = {name: number for number, name in enumerate(classes, 1)}
    images, annotations = [], []
    for number, photo in enumerate(photos, 1):
        width, height = photo['size']
        file = dict(file_name=photo['path'].name, width=width, height=height)
        images.append(dict(id=number, **file))
        for box in photo['boxes']:
            annotations.append(
                dict(
                    id=len(annotations) + 1,
                    image_id=number,
                    category_id=numbers[box['name']],
                    bbox=box['box'],
                    area=box['box'][2] * box['box'][3],
                    iscrowd=int(box['difficult']),
                )
            )
    categories = [dict(id=numbers[name], name=name) for name in classes]
    return dict(images=images, annotations=annotations, categories=categories)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk, or one without links
        shutil.copyfile(source, target)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
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
