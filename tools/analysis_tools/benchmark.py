#!/usr/bin/env python
"""Measure what the loss costs, and how fast training is, on this machine.

Contenders take turns, so that what else the machine does meets all of them.
Each mode writes its findings as Markdown and JSON.
"""

import argparse
from pathlib import Path
from typing import List, Tuple

import torch
from benchmarking.branch import (
    BATCH_SIZE,
    NUM_PAIRS,
    SWEPT_BATCHES,
    SWEPT_PAIRS,
    run_branch,
    scaling,
)
from benchmarking.data import compare_pipelines
from benchmarking.epoch import time_epochs
from benchmarking.options import OPTIONS, compare_options
from benchmarking.outcome import Outcome, write_outcome
from benchmarking.step import TrainingStep, compare_steps
from mmengine.config import Config
from mmengine.logging import MMLogger

from mmdrloc.commands.arguments import OptionsAction
from mmdrloc.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.recipes import baseline_of, name_of, read_config, read_recipe
from mmdrloc.signals import WATCH

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / 'configs/scratch_100e'
SWIN = CONFIGS / 'swin-tiny.py'
MODELS = ('swin-tiny', 'cvt-13', 't2t-vit-14', 'vit-b16', 'resnet-50')
EXAMPLES = """examples:
  python tools/analysis_tools/benchmark.py branch
  python tools/analysis_tools/benchmark.py step --amp --batch-size 8
  python tools/analysis_tools/benchmark.py options --amp --batch-size 8
  python tools/analysis_tools/benchmark.py data
  python tools/analysis_tools/benchmark.py epoch BASELINE TWIN --rounds 3
"""


def at_least_one(text: str) -> int:
    """A number from the command line that may not be zero."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f'{number} is less than 1')
    return number


def add_mode(modes, name: str, text: str, rounds: int):
    """Add a mode with what all of them have.

    Args:
        modes: The parser's modes.
        name (str): On the command line.
        text (str): What it measures.
        rounds (int): Default.

    Returns:
        argparse.ArgumentParser: Of the mode.
    """
    parser = modes.add_parser(name, help=text, description=text)
    parser.add_argument(
        '--rounds',
        type=at_least_one,
        default=rounds,
        help=f'how often each contender is measured (default: {rounds})',
    )
    parser.add_argument(
        '--out',
        type=Path,
        default=Path('work_dirs/benchmark'),
        metavar='DIR',
        help='where the findings go (default: work_dirs/benchmark)',
    )
    return parser


def add_device_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the modes have that compute in this process."""
    parser.add_argument(
        '--device',
        default='cuda' if torch.cuda.is_available() else 'cpu',
        help='where to compute (default: %(default)s)',
    )
    parser.add_argument(
        '--batch-size',
        type=at_least_one,
        default=BATCH_SIZE,
        help=f'images (default: {BATCH_SIZE})',
    )
    parser.add_argument(
        '--amp', action='store_true', help='in mixed precision'
    )


def parse_args() -> Tuple[argparse.Namespace, List[str]]:
    """Read the command line.

    Returns:
        tuple[argparse.Namespace, list[str]]: The arguments, and what is left
        for tools/train.py.
    """
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    modes = parser.add_subparsers(dest='mode', required=True)
    branch = add_mode(
        modes,
        'branch',
        "the DRLoc branch against the pseudocode, and Swin-T's step",
        rounds=10,
    )
    add_device_arguments(branch)
    branch.add_argument(
        '--num-pairs',
        type=at_least_one,
        default=NUM_PAIRS,
        help=f'pairs an image (default: {NUM_PAIRS})',
    )
    branch.add_argument(
        '--swept-pairs',
        type=at_least_one,
        nargs='*',
        default=SWEPT_PAIRS,
        help='numbers of pairs to compare (default: %(default)s)',
    )
    branch.add_argument(
        '--swept-batches',
        type=at_least_one,
        nargs='*',
        default=SWEPT_BATCHES,
        help='numbers of images to compare (default: %(default)s)',
    )
    step = add_mode(
        modes,
        'step',
        "training steps with and without the loss (the supplement's Table 14)",
        rounds=10,
    )
    add_device_arguments(step)
    step.add_argument(
        'configs',
        nargs='*',
        default=[CONFIGS / f'{m}_drloc.py' for m in MODELS],
        metavar='CONFIG',
        help='classifiers with the loss, which inherit from their baselines '
        f'(default: {", ".join(MODELS)})',
    )
    options = add_mode(
        modes,
        'options',
        'training steps with each option that may make them faster',
        rounds=10,
    )
    add_device_arguments(options)
    options.add_argument(
        'config',
        nargs='?',
        type=Path,
        default=SWIN,
        metavar='CONFIG',
        help='a classifier (default: scratch_100e/swin-tiny.py)',
    )
    options.add_argument(
        '--options',
        nargs='+',
        choices=OPTIONS,
        default=list(OPTIONS),
        help='which of them (default: all)',
    )
    options.add_argument(
        '--cfg-options',
        nargs='+',
        action=OptionsAction,
        default={},
        metavar='KEY=VALUE',
        help='change settings of the config before, for all contenders',
    )
    data = add_mode(
        modes,
        'data',
        'images/s per core of the augmentations of training from scratch',
        rounds=10,
    )
    data.add_argument(
        '--images',
        type=at_least_one,
        default=128,
        help='different images (default: 128)',
    )
    epoch = add_mode(
        modes,
        'epoch',
        'whole epochs; other options go to tools/train.py',
        rounds=3,
    )
    epoch.add_argument(
        'configs',
        nargs='+',
        metavar='CONFIG',
        help='the first is what the others are compared with',
    )
    args, rest = parser.parse_known_args()
    if rest and args.mode != 'epoch':
        parser.error(f'unrecognized arguments: {" ".join(rest)}')
    return args, rest


def device_of(args: argparse.Namespace) -> torch.device:
    """The device that was asked for.

    Raises:
        UsageError: If there is none.
    """
    try:
        device = torch.device(args.device)
        torch.empty(1, device=device)
    except (AssertionError, RuntimeError) as error:
        raise UsageError(
            f'--device {args.device} cannot be used here '
            f'({str(error).splitlines()[0]}): give cpu or cuda'
        ) from error
    return device


def twins_of(path: Path) -> Tuple[str, Config, Config]:
    """A config's name, its baseline, and itself.

    Raises:
        UsageError: If it is no twin.
    """
    cfg = read_recipe(path)
    baseline = baseline_of(path, cfg)
    if baseline is None:
        raise UsageError(f'{path} is a baseline: give its DRLoc twin')
    return cfg.run.recipe, read_recipe(baseline), cfg


def measure_branch(args: argparse.Namespace) -> Outcome:
    """The branch, then its growth."""
    device = device_of(args)
    cfg = read_config(SWIN)
    step = TrainingStep(cfg, args.batch_size, device, args.amp)
    outcome = run_branch(step, args.num_pairs, args.rounds, args.amp)
    del step  # its memory is needed
    if args.swept_pairs and args.swept_batches:
        outcome.tables += scaling(
            args.swept_pairs,
            args.swept_batches,
            args.rounds,
            device,
            args.amp,
            args.out / 'branch.png',
        )
    return outcome


def measure(args: argparse.Namespace, rest: List[str]) -> Outcome:
    """Run the mode that was asked for.

    Args:
        args (argparse.Namespace): The command line.
        rest (list[str]): For tools/train.py.

    Returns:
        Outcome: The findings.
    """
    if args.mode == 'branch':
        return measure_branch(args)
    if args.mode == 'step':
        return compare_steps(
            [twins_of(Path(config)) for config in args.configs],
            args.batch_size,
            args.rounds,
            device_of(args),
            args.amp,
        )
    if args.mode == 'options':
        cfg = read_config(args.config)
        cfg.merge_from_dict(args.cfg_options)
        return compare_options(
            name_of(args.config),
            cfg,
            args.options,
            args.batch_size,
            args.rounds,
            device_of(args),
            args.amp,
        )
    if args.mode == 'data':
        cfg = read_config(SWIN)
        return compare_pipelines(cfg, args.images, args.rounds)
    return time_epochs(
        args.configs,
        args.rounds,
        [str(ROOT / 'tools/train.py')],
        rest,
        args.out / 'epochs',
    )


def main() -> None:
    """Run the command line."""
    args, rest = parse_args()
    # Or the options of every single parameter are listed.
    MMLogger.get_current_instance().setLevel('WARNING')
    with usage_errors_in_one_sentence(), WATCH.watching():
        outcome = measure(args, rest)
        print(write_outcome(outcome, args.out / args.mode))


if __name__ == '__main__':
    main()
