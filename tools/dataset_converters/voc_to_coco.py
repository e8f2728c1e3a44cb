#!/usr/bin/env python
"""Write a data set in Pascal VOC's format as one in COCO's.

The images are linked where the disk allows it, and copied elsewhere. Objects
that are marked difficult become crowds: neither found nor missed.
"""

import json
import os
import shutil
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Tuple
from xml.etree import ElementTree
from xml.parsers import expat

from PIL import Image
from rich.progress import track

from mmdrloc.apis.cli import command_parser
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


class Photo(NamedTuple):
    """What one file of annotations says.

    Args:
        path (Path): The image.
        size (tuple[int, int]): Width and height, in pixels.
        objects (list): Class, whether it is difficult, and the box as
            (left, top, width, height) in pixels, of each object.
    """

    path: Path
    size: Tuple[int, int]
    objects: List[Tuple[str, bool, Tuple[float, ...]]]


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
        part: [
            read_photo(folder, name)
            for name in track(_names(folder, listed), f'reading {listed}')
        ]
        for part, listed in (('train', train), ('val', val))
    }
    classes = sorted(
        {name for p in parts.values() for o in p for name, *_ in o.objects}
    )
    if not classes:
        raise UsageError(f'{folder / "Annotations"} has no object.')
    with atomic_folder(out) as temporary:
        (temporary / 'annotations').mkdir()
        for part, photos in parts.items():
            path = temporary / f'annotations/instances_{part}.json'
            path.write_text(json.dumps(_as_coco(photos, classes)))
            (temporary / part).mkdir()
            for photo in track(photos, f'linking {part}'):
                _link(photo.path, temporary / part / photo.path.name)
    return {
        part: (len(photos), sum(len(photo.objects) for photo in photos))
        for part, photos in parts.items()
    }


def read_photo(folder: Path, name: str) -> Photo:
    """Read the annotations of one image.

    VOC counts pixels from 1, and a box holds its last one.

    Args:
        folder (Path): Of the data set.
        name (str): Of the image, without suffix.

    Returns:
        Photo: What there is; boxes end at the image's border.

    Raises:
        UsageError: If the file is missing, no XML, or lacks something.
    """
    path = folder / 'Annotations' / f'{name}.xml'
    root = _read_xml(path)
    image = _image(folder / 'JPEGImages', name, path)
    size = tuple(
        int(float(root.findtext(f'size/{side}') or 0))
        for side in ('width', 'height')
    )
    if 0 in size:  # as some programs write it
        with Image.open(image) as opened:
            size = opened.size
    objects = [_object(path, node, size) for node in root.iter('object')]
    return Photo(image, size, objects)


def _names(folder: Path, listed: str) -> List[str]:
    path = folder / 'ImageSets/Main' / f'{listed}.txt'
    if not path.is_file():
        raise UsageError(
            f'there is no {path}: give a folder in the format of Pascal VOC, '
            'with Annotations, JPEGImages and ImageSets/Main.'
        )
    lines = path.read_text(encoding='utf-8').splitlines()
    # Lists of one class say after the name whether it is in the image.
    names = [line.split()[0] for line in lines if line.strip()]
    odd = [name for name in names if Path(name).name != name]
    if odd:
        raise UsageError(f'{path} names {odd[0]}, which is no plain name.')
    if not names:
        raise UsageError(f'{path} is empty.')
    return names


def _read_xml(path: Path) -> ElementTree.Element:
    """Read a file of which nobody knows who wrote it."""

    def refuse(*_: Any) -> None:
        raise UsageError(
            f'{path} declares a document type, which can hold more than it '
            'seems to and no annotation needs: remove its line <!DOCTYPE.'
        )

    try:
        content = path.read_bytes()
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = refuse
        parser.Parse(content, True)
        return ElementTree.fromstring(content)
    except OSError as error:
        raise UsageError(
            f'{path} cannot be read: {error.strerror}.'
        ) from error
    except (expat.ExpatError, ElementTree.ParseError) as error:
        raise UsageError(f'{path} is no XML ({error}).') from error


def _image(folder: Path, name: str, annotations: Path) -> Path:
    for suffix in SUFFIXES:
        for spelt in (suffix, suffix.upper()):
            path = folder / f'{name}{spelt}'
            if path.is_file():
                return path
    raise UsageError(f'{annotations} is of an image that is not in {folder}.')


def _object(
    path: Path, node: ElementTree.Element, size: Tuple[int, int]
) -> Tuple[str, bool, Tuple[float, ...]]:
    name = (node.findtext('name') or '').strip()
    if not name:
        raise UsageError(f'{path} has an object without a name.')
    try:
        left, top, right, bottom = (
            float(node.findtext(f'bndbox/{side}'))
            for side in ('xmin', 'ymin', 'xmax', 'ymax')
        )
    except (TypeError, ValueError) as error:
        raise UsageError(
            f'{path}: the box of a {name} has not its four numbers.'
        ) from error
    left, top = max(left - 1, 0), max(top - 1, 0)
    width, height = min(right, size[0]) - left, min(bottom, size[1]) - top
    # What is no number compares as false.
    if not (width > 0 and height > 0):
        raise UsageError(
            f'{path}: the box of a {name} is empty or outside of the image.'
        )
    difficult = (node.findtext('difficult') or '0').strip() == '1'
    return name, difficult, (left, top, width, height)


def _as_coco(photos: List[Photo], classes: List[str]) -> Dict[str, Any]:
    numbers = {name: number for number, name in enumerate(classes, 1)}
    images: List[Dict[str, Any]] = []
    annotations: List[Dict[str, Any]] = []
    for number, photo in enumerate(photos, 1):
        name, (width, height) = photo.path.name, photo.size
        file, (width, height) = photo.path.name, photo.size
        images.append(
            dict(id=number, file_name=file, width=width, height=height)
        )
        for name, difficult, box in photo.objects:
            annotations.append(
                dict(
                    id=len(annotations) + 1,
                    image_id=number,
                    category_id=numbers[name],
                    bbox=list(box),
                    area=box[2] * box[3],
                    iscrowd=int(difficult),
                )
            )
    return dict(
        images=images,
        annotations=annotations,
        categories=[dict(id=numbers[name], name=name) for name in classes],
    )


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk, or one without links
        shutil.copyfile(source, target)


def main() -> None:
    """Run the command line."""
    parser = command_parser(__doc__, EXAMPLES)
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
