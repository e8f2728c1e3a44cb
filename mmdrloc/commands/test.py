"""Evaluate a checkpoint of a classifier, a detector or a segmentor."""

from typing import Optional

from .arguments import (
    Words,
    add_run_arguments,
    add_shared,
    arguments_of,
    command_parser,
)
from .program import calling

EXAMPLES = """examples:
  python tools/test.py CONFIG work_dirs/CONFIG/epoch_30.pth
  python tools/test.py work_dirs/RUN
  python tools/test.py CONFIG CHECKPOINT --dataset svhn
  python tools/test.py CONFIG CHECKPOINT --show-dir pictures
  python tools/test.py CONFIG CHECKPOINT --out predictions.pkl --tta
  bash tools/dist_test.sh CONFIG CHECKPOINT 2
"""


def main(argv: Words = None, prog: Optional[str] = None) -> None:
    """Run the command; see :func:`mmdrloc.commands.main`."""
    parser = command_parser(
        'Evaluate a checkpoint with a config of mmpretrain, mmdet, mmseg or '
        'mmdrloc.',
        EXAMPLES,
        prog,
    )
    parser.add_argument(
        'recipe', metavar='config', help='the config, or the folder of a run'
    )
    parser.add_argument(
        'checkpoint',
        nargs='?',
        help='the checkpoint to evaluate (default: the last one of the run)',
    )
    add_run_arguments(parser)
    add_shared(parser, '--dataset', '--cfg-options', '--trust', '--partial')
    add_shared(parser, '--skip-data-check', '--verbose')
    parser.add_argument(
        '--out',
        help='save the predictions: a .pkl file, or for segmentation a '
        'folder of label maps',
    )
    parser.add_argument(
        '--show', action='store_true', help='show the predictions'
    )
    parser.add_argument(
        '--show-dir', metavar='DIR', help='save the drawn predictions here'
    )
    parser.add_argument(
        '--wait-time',
        type=float,
        default=2.0,
        metavar='SECONDS',
        help='how long --show shows each image (default: 2)',
    )
    parser.add_argument(
        '--tta',
        action='store_true',
        help="use the config's test-time augmentation (tta_model and "
        'tta_pipeline)',
    )
    arguments = arguments_of(parser.parse_args(argv))
    with calling() as apis:
        apis.test(**arguments)
