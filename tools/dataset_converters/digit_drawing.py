"""scikit-learn's real handwritten digits, enlarged: one alone, or in scenes.

The 1,797 scanned digits (8x8 grey values) come with scikit-learn, so nothing
is downloaded. They are laid, light, on dark texture.
"""

from typing import List, Tuple

import cv2
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

CLASSES = tuple('0123456789')
NUM_VAL_DIGITS = 400
IMAGE_SIZE = 56
IMAGE_DIGIT_SIZES = (36, 53)
SCENE_SIZE = 128
SCENE_DIGIT_SIZES = (32, 52)
SCENE_DIGIT_COUNTS = (2, 4)
MAX_ANGLE = 15.0
# A digit that would leave less than this of another one uncovered is placed
# elsewhere: every digit that can be seen is annotated.
MIN_VISIBLE = 0.9
PLACEMENT_ATTEMPTS = 20

# Kept in the manifest: a set drawn otherwise is not taken for this one.
DRAWING = dict(
    image_size=IMAGE_SIZE,
    image_digit_sizes=list(IMAGE_DIGIT_SIZES),
    scene_size=SCENE_SIZE,
    scene_digit_sizes=list(SCENE_DIGIT_SIZES),
    scene_digit_counts=list(SCENE_DIGIT_COUNTS),
    max_angle=MAX_ANGLE,
    min_visible=MIN_VISIBLE,
)


def split_digits() -> dict:
    """Divide the source digits, the same way whatever the drawing's seed.

    Returns:
        dict: ``{'train': (images, labels), 'val': (images, labels)}``;
        images are (N, 8, 8) float32 in [0, 1], labels (N, ) integers. Each
        class has its share of the 400 validation digits.
    """
    digits = load_digits()
    images = (digits.images / 16).astype(np.float32)
    train, val = train_test_split(
        np.arange(len(images)),
        test_size=NUM_VAL_DIGITS,
        stratify=digits.target,
        random_state=0,
    )
    return dict(
        train=(images[train], digits.target[train]),
        val=(images[val], digits.target[val]),
    )


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
    """Enlarge, turn and place one digit on an empty canvas.

    Args:
        rng (np.random.Generator): Source of randomness.
        digit (np.ndarray): (8, 8) float32 in [0, 1].
        canvas_size (int): Height and width of the canvas in pixels.
        sizes (tuple[int, int]): Least and greatest side in pixels that the
            8x8 grid is enlarged to.

    Returns:
        np.ndarray: (canvas_size, canvas_size) float32, 0 where there is no
        ink, 1 where it covers; its outline is at 0.5.
    """
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


def lay_on(
    rng: np.random.Generator, image: np.ndarray, ink: np.ndarray
) -> None:
    """Blend ink of a random light colour into an image, in place.

    The image is (H, W, 3) float32, the ink an opacity, (H, W) float32.
    """
    colour = rng.uniform(200, 255, 3).astype(np.float32)
    image += ink[..., None] * (colour - image)


def draw_image(rng: np.random.Generator, digit: np.ndarray) -> np.ndarray:
    """One digit, (8, 8) float32 in [0, 1], alone on (56, 56, 3) uint8."""
    image = draw_background(rng, IMAGE_SIZE)
    lay_on(rng, image, draw_ink(rng, digit, IMAGE_SIZE, IMAGE_DIGIT_SIZES))
    return np.clip(image, 0, 255).astype(np.uint8)


def draw_scene(
    rng: np.random.Generator, digits: np.ndarray, labels: np.ndarray
) -> Tuple[np.ndarray, List[tuple]]:
    """Draw several digits, the later ones over the earlier ones.

    Args:
        rng (np.random.Generator): Source of randomness.
        digits (np.ndarray): (N, 8, 8) float32 digits to choose from.
        labels (np.ndarray): (N, ) their classes.

    Returns:
        tuple[np.ndarray, list[tuple]]: The (128, 128, 3) uint8 scene and,
        for each digit, its class and the (128, 128) bool mask of what is
        visible of it.
    """
    image = draw_background(rng, SCENE_SIZE)
    count = rng.integers(*SCENE_DIGIT_COUNTS, endpoint=True)
    instances = []
    full_areas = []
    for index in rng.choice(len(digits), count, replace=False):
        for _ in range(PLACEMENT_ATTEMPTS):
            ink = draw_ink(rng, digits[index], SCENE_SIZE, SCENE_DIGIT_SIZES)
            mask = ink >= 0.5
            uncovered = [(label, seen & ~mask) for label, seen in instances]
            if all(
                seen.sum() >= MIN_VISIBLE * full_area
                for (_, seen), full_area in zip(uncovered, full_areas)
            ):
                lay_on(rng, image, ink)
                instances = uncovered + [(int(labels[index]), mask)]
                full_areas.append(mask.sum())
                break
    return np.clip(image, 0, 255).astype(np.uint8), instances
