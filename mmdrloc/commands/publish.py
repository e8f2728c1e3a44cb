"""Write a trained model as a folder that others open.

In the shape of the Hugging Face Hub: weights that are data alone, config, and
a page that says how to use it, what was measured, and how it was trained.
Without optimizer, state of hooks and DRLoc head: the model is the library's
own. Read the page before you show it: it holds the command of the training.
"""

from typing import Optional

from .arguments import Words, add_shared, command_parser
from .program import errors_told, importing

EXAMPLES = """examples:
  python tools/publish.py configs/quickstart/swin-2stage_drloc.py \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth published/digits

  # with the interval over three seeds, and a copy for timm
  python tools/publish.py configs/scratch_100e/swin-tiny_drloc.py \\
      work_dirs/seed0/epoch_100.pth published/swin-tiny_cifar10 \\
      --runs work_dirs/seed1 work_dirs/seed2 --license apache-2.0 \\
      --timm swin_tiny_patch4_window7_224

  # to the Hub
  hf upload NAME/digits published/digits
"""


def main(argv: Words = None, prog: Optional[str] = None) -> None:
    """Run the command; see :func:`mmdrloc.commands.main`."""
    parser = command_parser(__doc__, EXAMPLES, prog)
    add_shared(parser, 'config', 'checkpoint')
    parser.add_argument('folder', help='folder to be made')
    parser.add_argument(
        '--runs',
        nargs='+',
        default=[],
        metavar='RUN',
        help='work folders of the same training with other seeds, whose '
        'metrics are told along',
    )
    parser.add_argument(
        '--license',
        metavar='ID',
        help='under which the model may be used, as the Hub names it, such '
        'as apache-2.0',
    )
    parser.add_argument(
        '--timm',
        metavar='NAME',
        help="timm's name of the network: adds a copy that timm loads",
    )
    add_shared(parser, '--trust', '--verbose')
    args = parser.parse_args(argv)
    with errors_told():
        with importing():
            from mmdrloc.apis.session import session
            from mmdrloc.datasets.recipes import read_config
            from mmdrloc.export import publish
        with session(args.trust, args.verbose):
            paths = publish(
                read_config(args.config),
                args.checkpoint,
                args.folder,
                runs=args.runs,
                license=args.license,
                timm=args.timm,
            )
    for path in paths:
        print(f'written: {path}')
