#!/usr/bin/env python
"""Write scikit-learn's 1,797 handwritten digits as three small datasets.

The digits come with scikit-learn (8x8 grey values): nothing is downloaded.
They are enlarged and drawn in light colours on dark texture.

- classification/{train,val}/<class>/*.png: one digit an image,
- detection/{train,val}/*.png, with detection/annotations in COCO's format:
  scenes of several digits that may hide parts of one another,
- segmentation/{images,annotations}/{training,validation}/*.png: the same
  scenes with label maps, 0 for the background and d + 1 for digit d.

Validation images are drawn from 400 digits that no training image shows.
"""

import json
from pathlib import Path
from typing import Any, Dict, List, Tuple

import cv2
import numpy as np
from pycocotools import mask as coco_mask
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from mmdrloc.apis.cli import Parser
from mmdrloc.utils.errors import usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_folder

SPLITS = {'train': 'training', 'val': 'validation'}
NUM_VAL_DIGITS = 400
# Sides in pixels: of an image, and the least and greatest of a digit in it.
IMAGE, IMAGE_DIGITS = 56, (36, 53)
SCENE, SCENE_DIGITS = 128, (32, 52)
DIGITS_A_SCENE = (2, 4)
MAX_ANGLE = 15.0
# A digit that would leave less than this of another one uncovered is placed
# elsewhere: every digit that can be seen is annotated.
MIN_VISIBLE = 0.9
PLACEMENT_ATTEMPTS = 20


def split_digits() -> Dict[str, Tuple[np.ndarray, np.ndarray]]:
    """Images, (N, 8, 8) float32 in [0, 1], and labels of 'train' and 'val'."""
    digits = load_digits()
    images = (digits.images / 16).astype(np.float32)
    parts = train_test_split(
        np.arange(len(images)),
        test_size=NUM_VAL_DIGITS,
        stratify=digits.target,
        random_state=0,
    )
    return {
        split: (images[part], digits.target[part])
        for split, part in zip(SPLITS, parts)
    }


def draw_background(rng: np.random.Generator, size: int) -> np.ndarray:
    """Dark texture, (size, size, 3) float32, mostly below 60 of 255."""
    cells = rng.integers(3, 12)
    coarse = rng.uniform(0, 50, (cells, cells, 3)).astype(np.float32)
    texture = cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC)
    return texture + rng.normal(0, 3, (size, size, 1)).astype(np.float32)


def draw_ink(
    rng: np.random.Generator,
    digit: np.ndarray,
    canvas_size: int,
    sizes: Tuple[int, int],
) -> np.ndarray:
    """One digit enlarged, turned and placed: how much ink, 0 to 1, covers."""
    size = rng.uniform(*sizes)
    centre = rng.uniform(size / 2, canvas_size - size / 2, 2)
    middle = (digit.shape[0] - 1) / 2
    angle = rng.uniform(-MAX_ANGLE, MAX_ANGLE)
    factor = size / digit.shape[0]
    matrix = cv2.getRotationMatrix2D((middle, middle), angle, factor)
    matrix[:, 2] += centre - middle
    canvas = (canvas_size, canvas_size)
    ink = cv2.warpAffine(digit, matrix, canvas, flags=cv2.INTER_CUBIC)
    return np.clip(2.5 * ink - 0.5, 0, 1)


def blend(
    rng: np.random.Generator, image: np.ndarray, ink: np.ndarray
) -> None:
    """Blend ink of a random light colour into an image, in place."""
    colour = rng.uniform(200, 255, 3).astype(np.float32)
    image += ink[..., None] * (colour - image)


def draw_image(rng: np.random.Generator, digit: np.ndarray) -> np.ndarray:
    """One digit, (8, 8) float32 in [0, 1], alone on (56, 56, 3) uint8."""
    image = draw_background(rng, IMAGE)
    blend(rng, image, draw_ink(rng, digit, IMAGE, IMAGE_DIGITS))
    return np.clip(image, 0, 255).astype(np.uint8)


def draw_scene(
    rng: np.random.Generator, digits: np.ndarray, labels: np.ndarray
) -> Tuple[np.ndarray, List[tuple]]:
    """Draw several digits, the later ones over the earlier ones.

    Returns:
        tuple[np.ndarray, list[tuple]]: The scene, (128, 128, 3) uint8, and of
        each digit its class and visible mask, (128, 128) bool.
    """
    image = draw_background(rng, SCENE)
    count = rng.integers(*DIGITS_A_SCENE, endpoint=True)
    instances: List[tuple] = []
    full_areas: List[int] = []
    for index in rng.choice(len(digits), count, replace=False):
        for _ in range(PLACEMENT_ATTEMPTS):
            ink = draw_ink(rng, digits[index], SCENE, SCENE_DIGITS)
            mask = ink >= 0.5
            uncovered = [(label, seen & ~mask) for label, seen in instances]
            if all(
                seen.sum() >= MIN_VISIBLE * full_area
                for (_, seen), full_area in zip(uncovered, full_areas)
            ):
                blend(rng, image, ink)
                instances = uncovered + [(int(labels[index]), mask)]
                full_areas.append(mask.sum())
                break
    return np.clip(image, 0, 255).astype(np.uint8), instances


def coco_annotation(mask: np.ndarray, **ids: int) -> Dict[str, Any]:
    """COCO's annotation of the visible part of an instance, (H, W) bool.

    It has run lengths: polygons cannot have the holes of 0, 6, 8 and 9.
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


def write_image(path: Path, image: np.ndarray) -> None:
    """Write RGB, (H, W, 3) uint8, or a label map, (H, W)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = image[..., ::-1] if image.ndim == 3 else image
    if not cv2.imwrite(str(path), pixels):
        raise OSError(f'{path} could not be written')


def write_scenes(
    root: Path,
    split: str,
    digits: np.ndarray,
    labels: np.ndarray,
    rngs: List[np.random.Generator],
) -> None:
    """Write scenes in COCO's format and, with label maps, in ADE20K's."""
    images, annotations = [], []
    for number, rng in enumerate(rngs):
        scene, instances = draw_scene(rng, digits, labels)
        label_map = np.zeros((SCENE, SCENE), np.uint8)
        name = f'{number:05d}.png'
        image = dict(id=number, file_name=name, height=SCENE, width=SCENE)
        images.append(image)
        for label, mask in instances:
            label_map[mask] = label + 1
            ids = dict(id=len(annotations) + 1, image_id=number)
            annotations.append(
                coco_annotation(mask, **ids, category_id=label + 1)
            )
        write_image(root / 'detection' / split / name, scene)
        maps = root / 'segmentation'
        write_image(maps / 'images' / SPLITS[split] / name, scene)
        write_image(maps / 'annotations' / SPLITS[split] / name, label_map)
    content = dict(
        info=dict(description='scenes of handwritten digits'),
        images=images,
        annotations=annotations,
        categories=[
            dict(id=digit + 1, name=str(digit), supercategory='digit')
            for digit in range(10)
        ],
    )
    file = root / f'detection/annotations/instances_{split}.json'
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(content))


def write_digits(
    out: Path,
    num_variants: int = 8,
    num_train_scenes: int = 1000,
    num_val_scenes: int = 100,
) -> bool:
    """Write the three datasets, all or nothing; the same bytes each time.

    Args:
        out (Path): Their folder, such as 'data/digits'.
        num_variants (int): Drawings of each training digit for
            classification; validation digits have one. Defaults to 8.
        num_train_scenes (int): Scenes to train on. Defaults to 1000.
        num_val_scenes (int): Validation scenes. Defaults to 100.

    Returns:
        bool: False if the folder has them already.

    Raises:
        UsageError: If ``out`` has other content.
    """
    if (out / 'segmentation').is_dir():
        return False
    sizes = dict(
        train=(num_variants, num_train_scenes), val=(1, num_val_scenes)
    )
    with atomic_folder(out) as root:
        for part, (split, (digits, labels)) in enumerate(
            split_digits().items()
        ):
            variants, scenes = sizes[split]
            # Each image has its own generator: none depends on another.
            for number in range(len(digits) * variants):
                rng = np.random.default_rng([0, 0, part, number])
                index, variant = divmod(number, variants)
                folder = root / 'classification' / split / str(labels[index])
                path = folder / f'{index:04d}_{variant}.png'
                write_image(path, draw_image(rng, digits[index]))
            rngs = [
                np.random.default_rng([0, 1, part, number])
                for number in range(scenes)
            ]
            write_scenes(root, split, digits, labels, rngs)
    return True


def main() -> None:
    """Run the command line."""
    parser = Parser(description=__doc__)
    parser.add_argument(
        '--out',
        type=Path,
        default='data/digits',
        help='folder to write (%(default)s)',
    )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        written = write_digits(args.out)
    print(f'{args.out} {"was written" if written else "is there already"}')


if __name__ == '__main__':
    main()
