"""Train a classifier, a detector or a segmentor."""

import argparse
from functools import partial
from typing import Any

from mmengine.config import Config
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop

from mmdrloc.checks import check_config, refuse
from mmdrloc.engine.launch import (
    add_shared_arguments,
    build_runner,
    load_config,
    record_results,
    set_amp,
    set_auto_scale_lr,
    set_resume,
    skip_validation,
    usage_errors_reported_once,
)
from mmdrloc.errors import unforeseen_in_one_sentence

EXAMPLES = """examples:
  python tools/train.py configs/quickstart/swin-2stage_drloc_digits.py
  python tools/train.py CONFIG --cfg-options randomness.seed=1
  python tools/train.py CONFIG --check
  python tools/train.py CONFIG --work-dir runs/a --resume
  bash tools/dist_train.sh CONFIG 2 --auto-scale-lr
"""


def parse_args() -> argparse.Namespace:
    """Read the command line.

    Returns:
        argparse.Namespace: The arguments.
    """
    parser = argparse.ArgumentParser(
        description='Train a config of mmpretrain, mmdet, mmseg or mmdrloc.',
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('config', help='the config file')
    add_shared_arguments(parser)
    parser.add_argument(
        '--resume',
        nargs='?',
        const='auto',
        metavar='auto|PATH',
        help='continue from the last checkpoint in the work directory, or '
        'from the one given',
    )
    parser.add_argument(
        '--amp',
        action='store_true',
        help='train in mixed precision (on CPUs: bfloat16)',
    )
    parser.add_argument(
        '--auto-scale-lr',
        action='store_true',
        help="scale the learning rate from the config's reference batch to "
        'the actual one',
    )
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
    return parser.parse_args()


def train(args: argparse.Namespace) -> None:
    """Merge the flags into the config, check it, train.

    Args:
        args (argparse.Namespace): The command line.
    """
    cfg = load_config(args)
    with unforeseen_in_one_sentence(cfg.work_dir):
        runner = prepare(cfg, args)
    if args.check:
        check_only(runner)
    else:
        runner.train()


def prepare(cfg: Config, args: argparse.Namespace) -> Runner:
    """Check a config and build it.

    Args:
        cfg (Config): Changed in place.
        args (argparse.Namespace): The command line.

    Returns:
        Runner: Ready to train.
    """
    if not args.check:
        record_results(cfg)
    if args.no_validate:
        skip_validation(cfg)
    if args.resume:
        set_resume(cfg, args.resume)
    phases = ['train'] if cfg.get('val_cfg') is None else ['train', 'val']
    refuse(check_config(cfg, phases, args.trust))
    if args.amp:
        set_amp(cfg)
    if args.auto_scale_lr:
        set_auto_scale_lr(cfg)
    return build_runner(cfg)


def check_only(runner: Runner) -> None:
    """Prepare a training as far as it goes, and do not train.

    Args:
        runner (Runner): Of a config that has been checked.
    """
    build = runner.build_train_loop

    def build_and_stop(settings: Any) -> BaseLoop:
        loop = build(settings)
        loop.run = partial(runner.call_hook, 'before_train')
        return loop

    runner.build_train_loop = build_and_stop
    runner.train()
    print('Checked: this training can begin.')


def main() -> None:
    """Run the command line."""
    args = parse_args()
    with usage_errors_reported_once():
        train(args)


if __name__ == '__main__':
    main()
