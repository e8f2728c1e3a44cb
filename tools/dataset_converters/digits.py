"""Write scikit-learn's handwritten digits as three small datasets.

- ``classification/{train,val}/<class>/*.png``: one digit an image,
- ``detection/{train,val}/*.png`` with COCO annotations in
  ``detection/annotations/instances_{train,val}.json``: scenes of several
  digits that may hide one another,
- ``segmentation/{images,annotations}/{training,validation}/*.png``: the same
  scenes with label maps, 0 for the background and ``d + 1`` for digit d.

Validation images are drawn from 400 digits that no training image shows.

Example:
    python tools/dataset_converters/digits.py --out data/digits
"""

import argparse
import json
import shutil
from pathlib import Path
from typing import List

import cv2
import numpy as np
from digit_drawing import (
    CLASSES,
    DRAWING,
    SCENE_SIZE,
    draw_image,
    draw_scene,
    split_digits,
)
from pycocotools import mask as coco_mask

from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_folder

MANIFEST = 'manifest.json'
SPLITS = {'train': 'training', 'val': 'validation'}


def coco_annotation(mask: np.ndarray, **ids: int) -> dict:
    """Describe what is visible of an instance, (H, W) bool, in COCO's terms.

    The mask is run-length encoded: unlike polygons, that keeps the holes of
    0, 6, 8 and 9 and the pieces a digit is cut into by another. The box is
    tight round it.
    """
    code = coco_mask.encode(np.asfortranarray(mask, dtype=np.uint8))
    return dict(
        **ids,
        bbox=coco_mask.toBbox(code).tolist(),
        area=int(mask.sum()),
        segmentation=dict(
            size=list(mask.shape), counts=code['counts'].decode('ascii')
        ),
        iscrowd=0,
    )


def label_map(instances: List[tuple]) -> np.ndarray:
    """Merge classes and visible masks of a scene into one map.

    It is (128, 128) uint8, 0 for the background, class + 1 elsewhere.
    """
    labels = np.zeros((SCENE_SIZE, SCENE_SIZE), np.uint8)
    for label, mask in instances:
        labels[mask] = label + 1
    return labels


def write_image(path: Path, image: np.ndarray) -> None:
    """Write RGB, (H, W, 3) uint8, or a grey map, (H, W), making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = image[..., ::-1] if image.ndim == 3 else image
    if not cv2.imwrite(str(path), pixels):
        raise OSError(f'{path} could not be written')


def numbered_rngs(
    seed: int, task: int, split: str, count: int
) -> List[np.random.Generator]:
    """Give each image its own stream, so that none depends on another.

    The task is 0 for classification, 1 for scenes.
    """
    part = list(SPLITS).index(split)
    return [
        np.random.default_rng([seed, task, part, number])
        for number in range(count)
    ]


def write_classification(
    root: Path,
    seed: int,
    split: str,
    digits: np.ndarray,
    labels: np.ndarray,
    num_variants: int,
) -> None:
    """Write one folder a class with every digit in several drawings.

    The digits are (N, 8, 8) float32, their labels (N, ) integers.
    """
    rngs = numbered_rngs(seed, 0, split, len(digits) * num_variants)
    for number, rng in enumerate(rngs):
        index, variant = divmod(number, num_variants)
        folder = root / 'classification' / split / CLASSES[labels[index]]
        path = folder / f'{index:04d}_{variant}.png'
        write_image(path, draw_image(rng, digits[index]))


def write_scenes(
    root: Path,
    seed: int,
    split: str,
    digits: np.ndarray,
    labels: np.ndarray,
    num_scenes: int,
) -> int:
    """Write scenes in COCO's format and, with label maps, in ADE20K's.

    The digits are (N, 8, 8) float32, their labels (N, ) integers. Says how
    many instances the scenes hold.
    """
    images, annotations = [], []
    side = dict(height=SCENE_SIZE, width=SCENE_SIZE)
    for number, rng in enumerate(numbered_rngs(seed, 1, split, num_scenes)):
        scene, instances = draw_scene(rng, digits, labels)
        name = f'{number:05d}.png'
        write_image(root / 'detection' / split / name, scene)
        write_image(root / 'segmentation/images' / SPLITS[split] / name, scene)
        write_image(
            root / 'segmentation/annotations' / SPLITS[split] / name,
            label_map(instances),
        )
        images.append(dict(id=number, file_name=name, **side))
        for label, mask in instances:
            ids = dict(id=len(annotations) + 1, image_id=number)
            annotations.append(
                coco_annotation(mask, **ids, category_id=label + 1)
            )
    categories = [
        dict(id=index + 1, name=name, supercategory='digit')
        for index, name in enumerate(CLASSES)
    ]
    path = root / 'detection/annotations' / f'instances_{split}.json'
    path.parent.mkdir(exist_ok=True)
    content = dict(
        info=dict(description='scenes of handwritten digits'),
        images=images,
        annotations=annotations,
        categories=categories,
    )
    path.write_text(json.dumps(content))
    return len(annotations)


def write_digits(
    out_dir: str,
    seed: int = 0,
    num_variants: int = 8,
    num_train_scenes: int = 1000,
    num_val_scenes: int = 100,
    overwrite: bool = False,
) -> dict:
    """Write the three datasets, all or nothing.

    The same arguments give the same bytes. A finished set that was written
    with the same arguments is left alone.

    Args:
        out_dir (str): The set's folder, e.g. 'data/digits'.
        seed (int): Seed of the drawing. Defaults to 0.
        num_variants (int): Drawings of each training digit for
            classification; validation digits have one. Defaults to 8.
        num_train_scenes (int): Scenes to train on. Defaults to 1000.
        num_val_scenes (int): Scenes to validate on. Defaults to 100.
        overwrite (bool): Whether to write a finished set anew. Defaults to
            False.

    Returns:
        dict: Counts by name, e.g. ``{'classification/train': 11176, ...}``.

    Raises:
        UsageError: If ``out_dir`` holds something else, or a set that was
            written with other arguments and ``overwrite`` is False.
    """
    out = Path(out_dir)
    request = dict(
        seed=seed,
        num_variants=num_variants,
        num_train_scenes=num_train_scenes,
        num_val_scenes=num_val_scenes,
        drawing=DRAWING,
    )
    file = out / MANIFEST
    if not file.is_file() and out.exists() and any(out.glob('*')):
        raise UsageError(
            f'{out} exists and was not made by this converter (it has no '
            f'{MANIFEST}): name another folder with --out.'
        )
    manifest = json.loads(file.read_text()) if file.is_file() else {}
    if manifest and not overwrite:
        if manifest['request'] == request:
            return manifest['counts']
        raise UsageError(
            f'{out} holds a set written with other settings: write it anew '
            'with --overwrite or name another folder with --out.'
        )
    with atomic_folder(out) as root:
        counts = {}
        for split, (digits, labels) in split_digits().items():
            variants = num_variants if split == 'train' else 1
            scenes = num_train_scenes if split == 'train' else num_val_scenes
            write_classification(root, seed, split, digits, labels, variants)
            counts[f'classification/{split}'] = len(digits) * variants
            counts[f'scenes/{split}'] = scenes
            counts[f'instances/{split}'] = write_scenes(
                root, seed, split, digits, labels, scenes
            )
        (root / MANIFEST).write_text(
            json.dumps(dict(request=request, counts=counts), indent=2)
        )
        if manifest:
            shutil.rmtree(out)
    return counts


def main() -> None:
    """Write the datasets and say how large they are."""
    parser = argparse.ArgumentParser(
        description="Write scikit-learn's 1,797 handwritten digits for "
        'classification (class folders), detection (COCO format) and '
        'segmentation (ADE20K layout). Nothing is downloaded.'
    )
    parser.add_argument(
        '--out', default='data/digits', help='folder to write (%(default)s)'
    )
    parser.add_argument(
        '--seed', type=int, default=0, help='drawing seed (%(default)s)'
    )
    parser.add_argument(
        '--overwrite',
        action='store_true',
        help='write a finished set anew instead of keeping it',
    )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        counts = write_digits(args.out, args.seed, overwrite=args.overwrite)
    print(f'{args.out} is complete:')
    for name, count in counts.items():
        print(f'  {name:24s}{count:6d}')


if __name__ == '__main__':
    main()
