"""List a few of ImageNet-1K's training images, for pre-training.

Example:
    python tools/dataset_converters/imagenet_subset.py sin-10k
"""

import argparse

from mmdrloc.datasets.imagenet_subset import SUBSETS, write_subset
from mmdrloc.errors import usage_errors_in_one_sentence


def parse_args() -> argparse.Namespace:
    """Read the command line."""
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
    return parser.parse_args()


def main() -> None:
    """Write the list."""
    args = parse_args()
    with usage_errors_in_one_sentence():
        print(f'written: {write_subset(args.name, args.root, args.seed)}')


if __name__ == '__main__':
    main()
