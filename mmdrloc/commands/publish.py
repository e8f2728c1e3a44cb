"""Write a checkpoint and a config of a trained model for others.

Without optimizer, state of hooks and DRLoc head: the model is the library's
own, and the name of the checkpoint ends with the hash of its bytes.
"""

from typing import Optional, Sequence

from .arguments import (
    add_model_arguments,
    add_trust,
    add_verbose,
    command_parser,
)
from .program import errors_told, importing

EXAMPLES = """examples:
  python tools/publish.py configs/quickstart/swin-2stage_drloc.py \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth published/digits

  # then
  python tools/test.py published/digits.py published/digits-<hash>.pth
"""


def main(
    argv: Optional[Sequence[str]] = None, prog: Optional[str] = None
) -> None:
    """Run the command line.

    Args:
        argv (Sequence[str], optional): Its words. Defaults to those of the
            process.
        prog (str, optional): What the command is called.
    """
    parser = command_parser(__doc__, EXAMPLES, prog)
    add_model_arguments(parser)
    parser.add_argument(
        'prefix', help='what the names of both files begin with'
    )
    add_trust(parser)
    add_verbose(parser)
    args = parser.parse_args(argv)
    with errors_told():
        with importing():
            from mmdrloc.apis.session import session
            from mmdrloc.deployment import publish
            from mmdrloc.recipes import read_config
        with session(args.trust, args.verbose):
            cfg = read_config(args.config)
            paths = publish(cfg, args.checkpoint, args.prefix)
    for path in paths:
        print(f'written: {path}')
