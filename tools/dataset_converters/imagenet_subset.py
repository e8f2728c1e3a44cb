"""List a few of ImageNet-1K's training images, for pre-training.

Example:
    python tools/dataset_converters/imagenet_subset.py sin-10k
"""

import argparse
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

import numpy as np

from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_path


class Subset(NamedTuple):
    """How many images are drawn.

    Args:
        per_class (int, optional): Of each class; None draws from all images,
            whatever their classes.
        total (int): Of all classes together.
    """

    per_class: Optional[int]
    total: int


SUBSETS = {
    # IDMM's poster: ten images of each of 1,000 classes.
    'sin-10k': Subset(10, 10_000),
    # The poster does not define it; our reading.
    'sin-total-10k': Subset(None, 10_000),
}


def write_subset(name: str, root: str, seed: int = 0) -> Path:
    """Draw a subset and write its list beside the images.

    Args:
        name (str): A key of :data:`SUBSETS`.
        root (str): Folder of ImageNet-1K, with ``train/<class>/<image>``.
        seed (int): Of the drawing. Defaults to 0.

    Returns:
        Path: ``<root>/meta/<name>.txt``, a line '<class>/<image> <label>'
        for each image; the label is the number of the class's folder.

    Raises:
        UsageError: If there are fewer images than are to be drawn.
    """
    train = Path(root, 'train')
    if not train.is_dir():
        raise UsageError(
            f'there is no folder {train}: prepare ImageNet-1K first, with '
            'python tools/dataset_converters/prepare.py imagenet-1k'
        )
    folders = sorted(path for path in train.iterdir() if path.is_dir())
    images = {
        label: sorted(path.relative_to(train) for path in folder.iterdir())
        for label, folder in enumerate(folders)
    }
    lines = _drawn(images, SUBSETS[name], np.random.default_rng(seed))
    out = Path(root, 'meta', f'{name}.txt')
    out.parent.mkdir(exist_ok=True)
    with atomic_path(out) as temporary:
        temporary.write_text(''.join(lines))
    return out


def _drawn(
    images: Dict[int, List[Path]], subset: Subset, rng: np.random.Generator
) -> List[str]:
    """Lines of the list, sorted."""
    if subset.per_class is None:
        pools = [[(p, n) for n, paths in images.items() for p in paths]]
        count = subset.total
    else:
        pools = [[(p, n) for p in paths] for n, paths in images.items()]
        count = subset.per_class
    drawn = []
    for pool in pools:
        if len(pool) < count:
            raise UsageError(
                f'there are {len(pool)} images to draw {count} from, the '
                f'first is {pool[0][0] if pool else "missing"}: complete '
                'ImageNet-1K'
            )
        drawn += [pool[i] for i in rng.choice(len(pool), count, False)]
    if len(drawn) != subset.total:
        raise UsageError(
            f'{len(drawn)} images are drawn from {len(images)} classes, '
            f'expected are {subset.total}: complete ImageNet-1K'
        )
    return [f'{path.as_posix()} {label}\n' for path, label in sorted(drawn)]


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(
        description='Draw training images of ImageNet-1K and write their '
        'list to meta/NAME.txt: sin-10k has ten of each class, '
        'sin-total-10k has 10,000 of all.'
    )
    parser.add_argument('name', choices=SUBSETS, metavar='NAME')
    parser.add_argument(
        '--root',
        default='data/imagenet',
        help='folder of ImageNet-1K (%(default)s)',
    )
    parser.add_argument(
        '--seed', type=int, default=0, help='of the drawing (%(default)s)'
    )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        print(f'written: {write_subset(args.name, args.root, args.seed)}')


if __name__ == '__main__':
    main()
