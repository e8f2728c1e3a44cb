"""Download the data sets of the experiments and check them.

Example:
    python tools/dataset_converters/prepare.py svhn flowers102
    python tools/dataset_converters/prepare.py imagenet-1k --check-only
"""

import argparse
from pathlib import Path

from mmengine.config import Config
from preparation import prepare
from published_sets import PUBLISHED

from mmdrloc.utils.errors import usage_errors_in_one_sentence

DATASETS = Path(__file__).parents[2] / 'configs/_base_/datasets'


def main() -> None:
    """Prepare one set after the other."""
    parser = argparse.ArgumentParser(
        description='Download what is missing of the data sets, where their '
        'authors allow that, and check them against the published counts. '
        'A download that was cut off is continued.'
    )
    parser.add_argument(
        'names',
        nargs='+',
        choices=PUBLISHED,
        metavar='NAME',
        help=f'one or several of {", ".join(PUBLISHED)}',
    )
    parser.add_argument(
        '--root',
        default='data',
        help='folder of all data sets (%(default)s)',
    )
    parser.add_argument(
        '--check-only', action='store_true', help='download nothing'
    )
    args = parser.parse_args()
    for name in args.names:
        with usage_errors_in_one_sentence():
            dataset = Config.fromfile(DATASETS / f'{name}.py')
            counts = prepare(dataset, args.root, args.check_only)
        said = ', '.join(f'{count} {key}' for key, count in counts.items())
        print(f'{name} is complete: {said}')


if __name__ == '__main__':
    main()
