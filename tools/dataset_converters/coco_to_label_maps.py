#!/usr/bin/env python
"""Draw the instances of a COCO-format set as label maps in ADE20K's layout."""

import shutil
from pathlib import Path
from typing import Dict, Optional, Sequence

import cv2
import numpy as np
from pycocotools.coco import COCO
from rich.progress import track

from mmdrloc.apis.cli import command_parser
from mmdrloc.datasets.coco_file import read_coco
from mmdrloc.utils.errors import (
    UsageError,
    refuse,
    usage_errors_in_one_sentence,
)
from mmdrloc.utils.files import atomic_folder


def write_label_maps(
    annotations: Path,
    images: Path,
    out: Path,
    categories: Optional[Sequence[str]] = None,
) -> int:
    """Write one split: copies of the images and their label maps.

    0 is the background, and n the n-th category drawn. Where instances hide
    one another, the smaller one is on top. ::

        out
        ├── images/<name>.jpg
        └── annotations/<name>.png

    Args:
        annotations (Path): The split's JSON file.
        images (Path): The folder of its images.
        out (Path): The folder to write. One that exists is left alone.
        categories (Sequence[str], optional): Names of the categories to
            draw, in the order of their labels; instances of others are
            background. Defaults to all, in the order of their ids.

    Returns:
        int: How many images the split has.

    Raises:
        UsageError: If a file or a category is missing or the annotations are
            no COCO ones.
    """
    coco = _read(annotations)
    labels = _labels(coco, annotations, categories)
    if out.exists():
        return len(coco.imgs)
    with atomic_folder(out) as new:
        for folder in ('images', 'annotations'):
            (new / folder).mkdir()
        for image in track(coco.imgs.values(), description=out.name.ljust(20)):
            name = image['file_name']
            if not (images / name).is_file():
                raise UsageError(
                    f'{annotations} names {images / name}, which is not there.'
                )
            shutil.copy(images / name, new / 'images')
            target = new / 'annotations' / Path(name).with_suffix('.png').name
            cv2.imwrite(str(target), label_map(coco, image['id'], labels))
    return len(coco.imgs)


def label_map(coco: COCO, image_id: int, labels: Dict[int, int]) -> np.ndarray:
    """Draw the instances of one image.

    Args:
        coco (COCO): The annotations.
        image_id (int): Of the image.
        labels (Dict[int, int]): Value of each category id that is drawn.

    Returns:
        np.ndarray: (H, W) uint8, 0 where there is no instance.
    """
    image = coco.imgs[image_id]
    drawn = np.zeros((image['height'], image['width']), np.uint8)
    by_size = sorted(
        coco.imgToAnns[image_id], key=lambda a: a['area'], reverse=True
    )
    for annotation in by_size:
        mask = coco.annToMask(annotation).astype(bool)
        drawn[mask] = labels.get(annotation['category_id'], 0)
    return drawn


def _labels(
    coco: COCO, annotations: Path, categories: Optional[Sequence[str]]
) -> Dict[int, int]:
    """Label of each category id that is drawn."""
    if categories is None:
        ids = sorted(coco.cats)
    else:
        by_name = {coco.cats[id_]['name']: id_ for id_ in coco.cats}
        missing = [name for name in categories if name not in by_name]
        if missing:
            raise UsageError(
                f'{annotations} has no category {", ".join(missing)}: give '
                f'--categories out of {", ".join(sorted(by_name))}.'
            )
        ids = [by_name[name] for name in categories]
    return {id_: label for label, id_ in enumerate(ids, start=1)}


def _read(annotations: Path) -> COCO:
    if not annotations.is_file():
        raise UsageError(f'there are no annotations {annotations}.')
    content, findings = read_coco(str(annotations))
    refuse(findings)
    if len(content.categories) > 254:
        raise UsageError(
            f'{annotations} has {len(content.categories)} categories: a '
            'label map of 8 bits holds 254 and the background.'
        )
    coco = COCO()
    coco.dataset = dict(
        images=list(content.images.values()),
        annotations=content.annotations,
        categories=[
            dict(id=id_, name=name) for id_, name in content.categories.items()
        ],
    )
    coco.createIndex()
    return coco


EXAMPLES = """examples:
  python tools/dataset_converters/coco_to_label_maps.py \\
      data/coco_mini/annotations/instances_train.json data/coco_mini/train \\
      data/coco_mini/people/train --categories person
"""


def main() -> None:
    """Run the command line."""
    parser = command_parser(
        __doc__ + ' The background is 0, the first category 1.', EXAMPLES
    )
    parser.add_argument('annotations', type=Path, help='JSON of one split')
    parser.add_argument('images', type=Path, help='folder of its images')
    parser.add_argument('out', type=Path, help='folder to write')
    parser.add_argument(
        '--categories',
        nargs='+',
        metavar='NAME',
        help='draw these alone, labelled in this order (default: all, in '
        'the order of their ids)',
    )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        count = write_label_maps(
            args.annotations, args.images, args.out, args.categories
        )
    print(f'{args.out}: {count} images with label maps')


if __name__ == '__main__':
    main()
