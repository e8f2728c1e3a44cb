#!/usr/bin/env python
"""Write a checkpoint and a config of a trained model for others.

Without optimizer, state of hooks and DRLoc head: the model is the library's
own, and the name of the checkpoint ends with the hash of its bytes.
"""

import argparse

from mmdrloc.console.console import CONSOLE, add_verbose
from mmdrloc.deployment import publish
from mmdrloc.errors import usage_errors_in_one_sentence
from mmdrloc.reading import trust_files
from mmdrloc.recipes import read_config

EXAMPLES = """examples:
  python tools/publish.py configs/quickstart/swin-2stage_drloc.py \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth published/digits

  # then
  python tools/test.py published/digits.py published/digits-<hash>.pth
"""


def parse_args() -> argparse.Namespace:
    """Read the command line.

    Returns:
        argparse.Namespace: The arguments.
    """
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('config', help='config of the training')
    parser.add_argument('checkpoint', help='checkpoint of the training')
    parser.add_argument(
        'prefix', help='what the names of both files begin with'
    )
    parser.add_argument(
        '--trust',
        action='store_true',
        help='unpickle the checkpoint, which can run code that it contains',
    )
    add_verbose(parser)
    return parser.parse_args()


def main() -> None:
    """Run the command line."""
    args = parse_args()
    with usage_errors_in_one_sentence(), CONSOLE.opened(args.verbose):
        trust_files(args.trust)
        paths = publish(read_config(args.config), args.checkpoint, args.prefix)
    for path in paths:
        print(f'written: {path}')


if __name__ == '__main__':
    main()
