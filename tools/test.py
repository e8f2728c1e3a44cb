"""Evaluate a checkpoint of a classifier, a detector or a segmentor."""

import argparse

from mmdrloc.checks import check_config, refuse
from mmdrloc.console.console import CONSOLE
from mmdrloc.engine.launch import (
    add_shared_arguments,
    build_runner,
    load_config,
    set_prediction_dump,
    set_tta,
    set_visualization,
    usage_errors_reported_once,
)
from mmdrloc.errors import unforeseen_in_one_sentence
from mmdrloc.reading import KEPT

EXAMPLES = """examples:
  python tools/test.py CONFIG work_dirs/CONFIG/epoch_30.pth
  python tools/test.py CONFIG CHECKPOINT --dataset svhn
  python tools/test.py CONFIG CHECKPOINT --show-dir pictures
  python tools/test.py CONFIG CHECKPOINT --out predictions.pkl --tta
  bash tools/dist_test.sh CONFIG CHECKPOINT 2
"""


def parse_args() -> argparse.Namespace:
    """Read the command line.

    Returns:
        argparse.Namespace: The arguments.
    """
    parser = argparse.ArgumentParser(
        description='Evaluate a checkpoint with a config of mmpretrain, '
        'mmdet, mmseg or mmdrloc.',
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('config', help='the config file')
    parser.add_argument('checkpoint', help='the checkpoint to evaluate')
    add_shared_arguments(parser)
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
    return parser.parse_args()


def test(args: argparse.Namespace) -> None:
    """Merge the flags into the config, check it, evaluate.

    Args:
        args (argparse.Namespace): The command line.
    """
    cfg = load_config(args)
    cfg.load_from = args.checkpoint
    with unforeseen_in_one_sentence(cfg.work_dir):
        refuse(check_config(cfg, ['test'], args.skip_data_check))
        if args.show or args.show_dir:
            set_visualization(cfg, args.show, args.show_dir, args.wait_time)
        if args.out:
            set_prediction_dump(cfg, args.out)
        if args.tta:
            set_tta(cfg)
        runner = build_runner(cfg)
    runner.test()


def main() -> None:
    """Run the command line."""
    args = parse_args()
    with (
        usage_errors_reported_once(),
        CONSOLE.opened(args.verbose, tables=True),
        KEPT.opened(),
    ):
        test(args)


if __name__ == '__main__':
    main()
