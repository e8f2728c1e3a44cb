"""Train twins and their baseline over several seeds, and compare them.

Every run is a call of tools/train.py and is printed before it begins.
Interrupted, the same command goes on where it stopped: finished runs are
kept, begun ones resumed from their last checkpoint. At the end: the
differences to the baseline, paired by seed, with 95 % confidence intervals,
and a report of all runs.

The baseline is the recipe that a twin inherits from. With several weights, one
recipe is trained from each of them, and the first are the baseline.
"""

from typing import Optional

from mmdrloc.utils.signals import watched
from .arguments import Words, add_shared, command_parser
from .program import calling

EXAMPLES = """examples:
  python tools/paired.py configs/quickstart/swin-2stage_drloc.py \\
      --seeds 0 1 2 --jobs 2
  python tools/paired.py configs/scratch_100e/swin-tiny_drloc.py \\
      --dataset svhn --seeds 0 1 2 3 4 --amp --cfg-options \\
      train_cfg.max_epochs=10
  python tools/paired.py configs/quickstart/upernet_swin-2stage.py \\
      --weights work_dirs/swin-2stage_digits \\
      work_dirs/swin-2stage_drloc_digits --seeds 0 1 2
"""


def main(argv: Words = None, prog: Optional[str] = None) -> None:
    """Run the command; see :func:`mmdrloc.commands.main`."""
    parser = command_parser(__doc__, EXAMPLES, prog)
    parser.add_argument(
        'twins', nargs='+', metavar='TWIN', help='configs to be compared'
    )
    parser.add_argument(
        '--seeds', type=int, nargs='+', required=True, help='a run each'
    )
    parser.add_argument(
        '--baseline',
        metavar='CONFIG',
        help='what to compare with (default: the recipe that a twin '
        'inherits from)',
    )
    parser.add_argument(
        '--weights',
        nargs='+',
        metavar='FILE|RUN',
        help='what all runs start from; of several (or "none") each is '
        'compared with the first',
    )
    parser.add_argument(
        '--jobs',
        type=int,
        default=1,
        metavar='N',
        help='runs at a time (default: 1)',
    )
    parser.add_argument(
        '--work-dir',
        metavar='DIR',
        help='where the runs and the report go (default: '
        'work_dirs/<first config>_<data set>_paired)',
    )
    add_shared(parser, '--dataset', '--cfg-options', '--trust', '--partial')
    add_shared(parser, '--skip-data-check', '--verbose')
    add_shared(parser, '--amp', '--augment-on-device', '--auto-scale-lr')
    arguments = vars(parser.parse_args(argv))
    with calling() as apis, watched(for_good=True):
        comparison = apis.compare(**arguments)
    print(f'\n{comparison}\n\nwritten: {comparison.folder / "report.md"}')
