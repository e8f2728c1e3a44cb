#!/usr/bin/env python
"""Draw a subset of ImageNet-1K's training images: a list in meta/NAME.txt.

sin-10k has ten images of each class, sin-total-10k 10,000 of all classes.
"""

import argparse
from pathlib import Path

import numpy as np

from mmdrloc.datasets.folders.splits import images_in, subfolders
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_path

# Images in all and of each class. IDMM's poster does not define the second
# subset; this is our reading.
SUBSETS = {'sin-10k': (10_000, 10), 'sin-total-10k': (10_000, None)}


def write_subset(name: str, root: str) -> Path:
    """Draw a subset and write its list beside the images.

    Args:
        name (str): A key of :data:`SUBSETS`.
        root (str): Folder of ImageNet-1K, with ``train/<class>/<image>``.

    Returns:
        Path: ``<root>/meta/<name>.txt``, a line '<class>/<image> <label>'
        for each image; the label is the number of the class's folder.

    Raises:
        UsageError: If there are too few images.
    """
    train = Path(root, 'train')
    folders = subfolders(train) if train.is_dir() else []
    pools = [
        [(f'{name}/{image}', label) for image in images_in(train / name)]
        for label, name in enumerate(folders)
    ]
    total, per_class = SUBSETS[name]
    if per_class is None:
        pools = [[image for pool in pools for image in pool]]
    count = per_class or total
    generator = np.random.default_rng(0)
    if min(map(len, pools), default=0) < count or count * len(pools) != total:
        raise UsageError(
            f'{train} has {len(folders)} classes and too few images to draw '
            f'{total} from: complete ImageNet-1K, checked by `python '
            'tools/dataset_converters/prepare.py imagenet-1k`.'
        )
    drawn = [
        pool[index]
        for pool in pools
        for index in generator.choice(len(pool), count, False)
    ]
    out = Path(root, 'meta', f'{name}.txt')
    out.parent.mkdir(exist_ok=True)
    with atomic_path(out) as temporary:
        temporary.write_text(
            ''.join(f'{path} {label}\n' for path, label in sorted(drawn))
        )
    return out


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('name', choices=SUBSETS, metavar='NAME')
    parser.add_argument(
        '--root',
        default='data/imagenet',
        help='folder of ImageNet-1K (%(default)s)',
    )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        print(f'written: {write_subset(args.name, args.root)}')


if __name__ == '__main__':
    main()
