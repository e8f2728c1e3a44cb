#!/usr/bin/env python
"""Write a trained classifier as an ONNX file.

Its input `images` has one shape, (batch size, 3, height, width), and holds
pixels from 0 to 255, in RGB; its output is `logits`. Both models are run on
random images and compared before the file is kept. Needs
`pip install onnx onnxruntime`.
"""

import argparse
from pathlib import Path

from mmdrloc.console.console import CONSOLE, add_verbose
from mmdrloc.deployment import export_onnx
from mmdrloc.errors import usage_errors_in_one_sentence
from mmdrloc.reading import trust_files
from mmdrloc.recipes import read_config

EXAMPLES = """example:
  python tools/export_onnx.py configs/quickstart/swin-2stage_drloc.py \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth digits.onnx --size 56 56
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
    parser.add_argument('out', type=Path, help='ONNX file to be written')
    parser.add_argument(
        '--size',
        type=int,
        nargs=2,
        required=True,
        metavar=('HEIGHT', 'WIDTH'),
        help='of the images',
    )
    parser.add_argument(
        '--batch-size',
        type=int,
        default=1,
        help='images an input (default: 1)',
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
        difference = export_onnx(
            read_config(args.config),
            args.checkpoint,
            args.out,
            tuple(args.size),
            args.batch_size,
        )
    print(f'greatest difference of the logits: {difference:g}')
    print(f'written: {args.out}')


if __name__ == '__main__':
    main()
