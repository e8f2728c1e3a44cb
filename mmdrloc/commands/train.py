"""Train a classifier, a detector or a segmentor."""

from typing import Optional

from mmdrloc.utils.signals import watched
from .arguments import (
    Words,
    add_run_arguments,
    add_shared,
    arguments_of,
    command_parser,
)
from .program import calling

EXAMPLES = """examples:
  python tools/train.py configs/quickstart/swin-2stage_drloc.py
  python tools/train.py CONFIG --dataset svhn
  python tools/train.py CONFIG --dataset ~/photos/pets
  python tools/train.py CONFIG --cfg-options randomness.seed=1
  python tools/train.py CONFIG --check
  python tools/train.py CONFIG --work-dir runs/a --resume
  python tools/train.py CONFIG --work-dir runs/a --overwrite
  bash tools/dist_train.sh CONFIG 2 --auto-scale-lr
"""


def main(argv: Words = None, prog: Optional[str] = None) -> None:
    """Run the command; see :func:`mmdrloc.commands.main`."""
    parser = command_parser(
        'Train a config of mmpretrain, mmdet, mmseg or mmdrloc.',
        EXAMPLES,
        prog,
    )
    parser.add_argument(
        'recipe', metavar='config', help='a config, or the name of a recipe'
    )
    parser.add_argument(
        '--weights',
        metavar='FILE|RUN',
        help='start from these weights: a checkpoint (.pth, .tar, '
        '.safetensors) of any known origin, its address, or the work folder '
        'of a training, for its last checkpoint; they are converted and '
        'audited, and their copy lies in the work folder',
    )
    add_run_arguments(parser)
    begun = parser.add_mutually_exclusive_group()
    begun.add_argument(
        '--resume',
        nargs='?',
        const='auto',
        metavar='auto|PATH',
        help='continue from the last checkpoint in the work directory, from '
        'the one given, or the run whose folder is given',
    )
    parser.add_argument(
        '--resume-anyway',
        action='store_true',
        help='continue although the model, the optimizer, the batch, the '
        'data or the length differ from those the run was begun with',
    )
    begun.add_argument(
        '--overwrite',
        action='store_true',
        help='start anew where an earlier run lies: its checkpoints, '
        'result.json and curves are removed once all checks have passed',
    )
    add_shared(parser, '--dataset', '--cfg-options', '--trust', '--partial')
    add_shared(parser, '--skip-data-check', '--verbose')
    add_shared(parser, '--amp', '--augment-on-device', '--auto-scale-lr')
    parser.add_argument(
        '--no-validate',
        action='store_true',
        help='do not evaluate during training',
    )
    parser.add_argument(
        '--check',
        action='store_true',
        help='do everything that comes before the first iteration, and stop: '
        'whatever is wrong is reported at once',
    )
    arguments = arguments_of(parser.parse_args(argv))
    with calling() as apis, watched(for_good=True):
        apis.train(**arguments)
