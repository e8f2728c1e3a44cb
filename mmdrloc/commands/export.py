"""Write a trained classifier or segmentor as an ONNX file.

Its input `images` has one shape, (batch size, 3, height, width), and holds
pixels from 0 to 255, in RGB; its output is `logits`. The file also says how an
image is prepared and what the classes are called: docs/deploy.md has a script
that reads it without torch. Both models are run on random images and compared
before the file is kept. Needs `pip install onnx onnxruntime`.
"""

from typing import Optional

from .arguments import Words, add_shared, command_parser
from .program import errors_told, importing

EXAMPLES = """example:
  python tools/export_onnx.py configs/quickstart/swin-2stage_drloc.py \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth digits.onnx
"""


def main(argv: Words = None, prog: Optional[str] = None) -> None:
    """Run the command; see :func:`mmdrloc.commands.main`."""
    parser = command_parser(__doc__, EXAMPLES, prog)
    add_shared(parser, 'config', 'checkpoint')
    parser.add_argument('out', help='ONNX file to be written')
    parser.add_argument(
        '--size',
        type=int,
        nargs=2,
        metavar=('HEIGHT', 'WIDTH'),
        help='of the images (default: as the test has them); a segmentor '
        'needs it',
    )
    parser.add_argument(
        '--batch-size',
        type=int,
        default=1,
        help='images an input (default: 1)',
    )
    add_shared(parser, '--trust', '--verbose')
    args = parser.parse_args(argv)
    with errors_told():
        with importing():
            from mmdrloc.apis.session import session
            from mmdrloc.datasets.recipes import read_config
            from mmdrloc.export import export_onnx
        with session(args.trust, args.verbose):
            difference = export_onnx(
                read_config(args.config),
                args.checkpoint,
                args.out,
                args.size and tuple(args.size),
                args.batch_size,
            )
    print(f'greatest difference of the logits: {difference:g}')
    print(f'written: {args.out}')
