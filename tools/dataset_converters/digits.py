"""Write scikit-learn's handwritten digits as three small datasets.

Example:
    python tools/dataset_converters/digits.py --out data/digits
"""

import argparse

from mmdrloc.datasets import write_digits
from mmdrloc.errors import usage_errors_in_one_sentence


def parse_args() -> argparse.Namespace:
    """Read the command line."""
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
    return parser.parse_args()


def main() -> None:
    """Write the datasets and say how large they are."""
    args = parse_args()
    with usage_errors_in_one_sentence():
        counts = write_digits(
            args.out, seed=args.seed, overwrite=args.overwrite
        )
    print(f'{args.out} is complete:')
    for name, count in counts.items():
        print(f'  {name:24s}{count:6d}')


if __name__ == '__main__':
    main()
