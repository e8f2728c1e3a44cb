#!/usr/bin/env python
"""Draw which rows of IDMM's classifier get a gradient, and from what."""

import argparse
from pathlib import Path

from mmengine.runner import set_random_seed

from mmdrloc.console.console import CONSOLE, add_verbose
from mmdrloc.errors import usage_errors_in_one_sentence
from mmdrloc.reading import trust_files
from mmdrloc.recipes import read_config
from mmdrloc.visualization.row_gradients import (
    collect_row_gradients,
    draw_row_gradients,
)
from mmdrloc.visualization.trained import load_trained

EXAMPLES = """example:
  python tools/analysis_tools/row_gradients.py PRETRAINING.py LAST.pth \\
      --out rows.png
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
    parser.add_argument('config', help='config of a pre-training by IDMM')
    parser.add_argument('checkpoint', help='checkpoint of the pre-training')
    parser.add_argument(
        '--out', type=Path, required=True, help='PNG file to be written'
    )
    parser.add_argument(
        '--seed',
        type=int,
        default=0,
        help='of the images, crops and boxes (default: 0)',
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
        cfg = read_config(args.config)
        # A pre-training validates nothing: its training images are shown.
        cfg.val_dataloader = cfg.train_dataloader
        set_random_seed(args.seed)
        trained = load_trained(cfg, args.checkpoint)
        draw_row_gradients(collect_row_gradients(trained), args.out)
    print(f'written: {args.out}')


if __name__ == '__main__':
    main()
