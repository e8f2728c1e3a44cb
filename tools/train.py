"""Train a classifier, a detector or a segmentor."""

import argparse
import signal
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Optional

if (
    __name__ == '__main__'
    and signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    # The imports take seconds; until main() watches, Ctrl-C just ends them.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from mmengine.config import Config
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop

from mmdrloc.checks import check_config, refuse
from mmdrloc.console.console import CONSOLE
from mmdrloc.engine.hooks import OverwriteHook
from mmdrloc.engine.launch import (
    add_shared_arguments,
    add_weights_argument,
    build_runner,
    keep_checkpoints,
    load_config,
    record_results,
    set_amp,
    set_auto_scale_lr,
    set_resume,
    skip_validation,
    stop_if_not_finite,
    usage_errors_reported_once,
)
from mmdrloc.engine.signals import WATCH
from mmdrloc.engine.work_folder import claimed, is_finished, refuse_begun
from mmdrloc.errors import unforeseen_in_one_sentence
from mmdrloc.reading import KEPT
from mmdrloc.transfer.starting_weights import (
    CHECKED,
    require_weights,
    set_weights,
)

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
    add_weights_argument(parser)
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
        '--skip-bad-steps',
        type=int,
        default=0,
        metavar='N',
        help='leave out up to N steps with losses or gradients that are not '
        'finite, before the training ends for them; each step then waits '
        'for the device (default: 0)',
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
    if args.resume and Path(args.resume).is_dir():
        args.work_dir = args.work_dir or args.resume
    cfg = load_config(args)
    resume = args.resume
    if cfg.get('resume'):
        resume = resume or cfg.get('load_from') or 'auto'
    require_weights(cfg, args.weights, resume)
    with nullcontext() if args.check else claimed(cfg.work_dir):
        if not (args.check or args.overwrite):
            refuse_begun(cfg.work_dir, resume, cfg.run)
        if resume == 'auto' and is_finished(cfg):
            print(
                f'finished already: all of {cfg.work_dir} is trained. A '
                'longer train_cfg goes on, --overwrite starts anew.'
            )
            return
        run(cfg, args, resume)


def run(cfg: Config, args: argparse.Namespace, resume: Optional[str]) -> None:
    """Train, or look whether it can be done.

    Args:
        cfg (Config): The whole config.
        args (argparse.Namespace): The command line.
        resume (str, optional): What to go on from.
    """
    with unforeseen_in_one_sentence(cfg.work_dir):
        runner = prepare(cfg, args, resume)
    if args.check:
        check_only(runner)
        Path(cfg.work_dir, CHECKED).unlink(missing_ok=True)
        return
    if args.overwrite:
        runner.register_hook(OverwriteHook())
    runner.train()


def prepare(
    cfg: Config, args: argparse.Namespace, resume: Optional[str]
) -> Runner:
    """Check a config and build it.

    Args:
        cfg (Config): Changed in place.
        args (argparse.Namespace): The command line.
        resume (str, optional): What to go on from.

    Returns:
        Runner: Ready to train.
    """
    if not args.check:
        record_results(cfg)
    stop_if_not_finite(cfg, args.skip_bad_steps)
    keep_checkpoints(cfg)
    if args.no_validate:
        skip_validation(cfg)
    if resume:
        set_resume(cfg, resume, args.resume_anyway)
    set_weights(
        cfg,
        args.weights,
        resume,
        args.partial,
        Path(cfg.work_dir, CHECKED) if args.check else None,
        args.resume_anyway,
    )
    phases = ['train'] if cfg.get('val_cfg') is None else ['train', 'val']
    refuse(check_config(cfg, phases, args.skip_data_check))
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
    with (
        usage_errors_reported_once(),
        WATCH.watching(),
        CONSOLE.opened(args.verbose),
        KEPT.opened(),
    ):
        train(args)


if __name__ == '__main__':
    main()
