#!/usr/bin/env python
"""Draw the objects of a split in COCO's format as label maps.

The background is 0, the first category 1.
"""

import shutil
from pathlib import Path
from typing import Any, Dict, Optional, Sequence

import cv2
import numpy as np
from pycocotools.coco import COCO

from mmdrloc.apis.cli import Parser
from mmdrloc.utils.errors import (
    UsageError,
    cause,
    few,
    usage_errors_in_one_sentence,
)
from mmdrloc.utils.files import atomic_folder
from mmdrloc.utils.images import problem_with

EXAMPLES = """examples:
  python tools/dataset_converters/coco_to_label_maps.py \\
      data/coco_mini/annotations/instances_train.json data/coco_mini/train \\
      data/coco_mini/people/train --categories person
"""


def write_label_maps(
    annotations: Path,
    images: Path,
    out: Path,
    categories: Optional[Sequence[str]] = None,
) -> int:
    """Write ``images`` and ``annotations``: copies, and their label maps.

    Where objects hide one another, the smaller one is on top.

    Args:
        annotations (Path): The split's JSON file.
        images (Path): The folder of its images.
        out (Path): The folder to write. One that exists is left alone.
        categories (Sequence[str], optional): Names of the categories to
            draw, in the order of their labels from 1; others are background.
            Defaults to all, in the order of their ids.

    Returns:
        int: The number of images of the split.

    Raises:
        UsageError: If a file or a category is missing or not in COCO format.
    """
    try:
        coco = COCO(str(annotations))
        names = {entry['name']: id_ for id_, entry in coco.cats.items()}
    except Exception as error:  # broken files fail in many ways
        raise UsageError(
            f'{annotations} is missing or not in COCO format: {error!r}.'
        ) from error
    if len(names) < len(coco.cats):
        raise UsageError(f'{annotations} has two categories of one name.')
    if not coco.imgs or not coco.anns:
        raise UsageError(f'{annotations} has no images, or no objects.')
    missing = sorted({*(categories or ())} - {*names})
    if missing or len(categories or names) > 254:
        raise UsageError(
            f'{annotations} has no {", ".join(missing) or "label for each"}: '
            f'give --categories out of {", ".join(sorted(names)[:20])}.'
        )
    unknown = {one['category_id'] for one in coco.anns.values()} - {*coco.cats}
    if unknown:
        raise UsageError(
            f'{annotations} has objects of the categories '
            f'{few(sorted(unknown))}, and no such categories.'
        )
    if len(coco.imgs) < len(coco.dataset.get('images', ())):
        raise UsageError(f'{annotations} has two images of one id.')
    lost = {one['image_id'] for one in coco.anns.values()} - {*coco.imgs}
    if lost:
        raise UsageError(
            f'{annotations} has objects of the images '
            f'{few(sorted(map(repr, lost)))}, and no images of these ids.'
        )
    if not all(one.get('segmentation') for one in coco.anns.values()):
        raise UsageError(f'{annotations} has boxes without masks.')
    ids = [names[n] for n in categories] if categories else sorted(coco.cats)
    labels = {id_: label for label, id_ in enumerate(ids, start=1)}
    with atomic_folder(out) as new:
        (new / 'images').mkdir()
        (new / 'annotations').mkdir()
        for image in coco.imgs.values():
            if not image.get('file_name'):
                raise UsageError(f'{annotations} has images without a file.')
            source = images / image['file_name']
            size = image.get('width'), image.get('height')
            problem = problem_with(str(source), size)
            if problem:
                raise UsageError(f'{annotations}: {problem}.')
            shutil.copy(source, new / 'images')
            target = new / 'annotations' / f'{source.stem}.png'
            if target.exists():
                raise UsageError(
                    f'{annotations} has two images called {source.stem}: '
                    'rename one.'
                )
            try:
                drawn = _label_map(coco, image, labels)
            except Exception as error:  # pycocotools' own
                raise UsageError(
                    f'{annotations}: the objects of {source.name} cannot be '
                    f'drawn ({cause(error)}).'
                ) from error
            if not cv2.imwrite(str(target), drawn):
                raise OSError(f'{target} could not be written')
    return len(coco.imgs)


def _label_map(
    coco: COCO, image: Dict[str, Any], labels: Dict[int, int]
) -> np.ndarray:
    """The objects of an image, (H, W) uint8: label of each category's id."""
    drawn = np.zeros((image['height'], image['width']), np.uint8)
    for one in coco.imgToAnns[image['id']]:
        mask = one['segmentation']
        counts = mask.get('counts') if isinstance(mask, dict) else None
        # pycocotools leaves the rest as the memory was.
        if isinstance(counts, list) and sum(counts) != drawn.size:
            raise ValueError("run lengths of another sum than the image's")
    objects = [
        (coco.annToMask(one).astype(bool), labels.get(one['category_id'], 0))
        for one in coco.imgToAnns[image['id']]
    ]
    for mask, label in sorted(objects, key=lambda one: -one[0].sum()):
        drawn[mask] = label
    return drawn


def main() -> None:
    """Run the command line."""
    parser = Parser(description=__doc__, epilog=EXAMPLES)
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
