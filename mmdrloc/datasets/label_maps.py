"""Instances in COCO's format, drawn as label maps in ADE20K's layout."""

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Dict

import cv2
import numpy as np
from pycocotools.coco import COCO
from rich.progress import track

from mmdrloc.errors import UsageError


def write_label_maps(annotations: Path, images: Path, out: Path) -> int:
    """Write one split: copies of the images and their label maps.

    0 is the background, and n the n-th category in the order of the ids.
    Where instances hide one another, the smaller one is on top. ::

        out
        ├── images/<name>.jpg
        └── annotations/<name>.png

    Args:
        annotations (Path): The split's JSON file.
        images (Path): The folder of its images.
        out (Path): The folder to write. One that exists is left alone.

    Returns:
        int: How many images the split has.

    Raises:
        UsageError: If a file is missing or the annotations are no COCO ones.
    """
    coco = _read(annotations)
    if out.exists():
        return len(coco.imgs)
    labels = {id_: n for n, id_ in enumerate(sorted(coco.cats), start=1)}
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix=f'.{out.name}-', dir=out.parent
    ) as temp:
        new = Path(temp) / 'new'
        for folder in ('images', 'annotations'):
            (new / folder).mkdir(parents=True)
        for image in track(coco.imgs.values(), description=out.name.ljust(20)):
            name = image['file_name']
            if not (images / name).is_file():
                raise UsageError(
                    f'{annotations} names {images / name}, which is not there.'
                )
            shutil.copy(images / name, new / 'images')
            target = new / 'annotations' / Path(name).with_suffix('.png').name
            cv2.imwrite(str(target), label_map(coco, image['id'], labels))
        os.replace(new, out)
    return len(coco.imgs)


def label_map(coco: COCO, image_id: int, labels: Dict[int, int]) -> np.ndarray:
    """Draw the instances of one image.

    Args:
        coco (COCO): The annotations.
        image_id (int): Of the image.
        labels (Dict[int, int]): Value of each category id.

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
        drawn[mask] = labels[annotation['category_id']]
    return drawn


def _read(annotations: Path) -> COCO:
    if not annotations.is_file():
        raise UsageError(f'there are no annotations {annotations}.')
    content = json.loads(annotations.read_text())
    missing = {'images', 'annotations', 'categories'} - set(content)
    if missing:
        raise UsageError(
            f'{annotations} is not in COCO format: it has no '
            f'{", ".join(sorted(missing))}.'
        )
    if len(content['categories']) > 254:
        raise UsageError(
            f'{annotations} has {len(content["categories"])} categories: a '
            'label map of 8 bits holds 254 and the background.'
        )
    coco = COCO()
    coco.dataset = content
    coco.createIndex()
    return coco
