#!/usr/bin/env python
"""Draw the instances of a COCO-format set as label maps in ADE20K's layout."""

import argparse
from pathlib import Path

from mmdrloc.datasets.label_maps import write_label_maps
from mmdrloc.errors import usage_errors_in_one_sentence

EXAMPLES = """examples:
  python tools/dataset_converters/coco_to_label_maps.py \\
      data/coco_mini/annotations/instances_train.json data/coco_mini/train \\
      data/coco_mini/people/train --categories person
"""


def parse_args() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__ + ' The background is 0, the first category 1.',
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
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
    return parser.parse_args()


def main() -> None:
    """Run the command line."""
    args = parse_args()
    with usage_errors_in_one_sentence():
        count = write_label_maps(
            args.annotations, args.images, args.out, args.categories
        )
    print(f'{args.out}: {count} images with label maps')


if __name__ == '__main__':
    main()
