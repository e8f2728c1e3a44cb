#!/usr/bin/env python
"""Measure what the loss costs, and how fast training is, on this machine.

Contenders take turns, so that what else the machine does meets all of them.
Each mode writes its findings as Markdown and JSON.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any, List, Tuple

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
from benchmarking.reading import compare_reading
from benchmarking.step import TrainingStep, compare_steps
from benchmarking.timing import Setting
from mmengine.config import Config
from mmengine.logging import MMLogger

from mmdrloc.apis.cli import add_options, command_parser, read_options
from mmdrloc.datasets.recipes import (
    baseline_of,
    name_of,
    read_config,
    read_recipe,
)
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.signals import WATCH

CONFIGS = Path(__file__).resolve().parents[2] / 'configs/scratch_100e'
SWIN = CONFIGS / 'swin-tiny.py'
MODELS = ('swin-tiny', 'cvt-13', 't2t-vit-14', 'vit-b16', 'resnet-50')
EXAMPLES = """examples:
  python tools/analysis_tools/benchmark.py branch
  python tools/analysis_tools/benchmark.py step --amp --batch-size 8
  python tools/analysis_tools/benchmark.py options --amp --batch-size 8
  python tools/analysis_tools/benchmark.py data
  python tools/analysis_tools/benchmark.py reading --disk /mnt/network
  python tools/analysis_tools/benchmark.py epoch BASELINE TWIN --rounds 3
"""


def at_least_one(text: str) -> int:
    """A number from the command line that may not be zero."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f'{number} is less than 1')
    return number


def add_number(
    parser: argparse.ArgumentParser,
    flag: str,
    default: Any,
    text: str,
    **options: Any,
) -> None:
    """Add a flag that takes a number, and say what it is by default."""
    text = f'{text} (default: %(default)s)'
    options.update(type=at_least_one, default=default, help=text)
    parser.add_argument(flag, **options)


def parse_args() -> Tuple[argparse.Namespace, List[str]]:
    """Read the command line.

    Returns:
        tuple[argparse.Namespace, list[str]]: The arguments, and what is left
        for tools/train.py.
    """
    parser = command_parser(__doc__, EXAMPLES)
    parser.allow_abbrev = False
    modes = parser.add_subparsers(dest='mode', required=True)

    def mode(
        name: str, text: str, rounds: int = 10, on_device: bool = True
    ) -> argparse.ArgumentParser:
        added = modes.add_parser(name, help=text, description=text)
        add_number(added, '--rounds', rounds, 'calls of each that count')
        added.add_argument(
            '--out',
            type=Path,
            default=Path('work_dirs/benchmark'),
            metavar='DIR',
            help='where the findings go (default: %(default)s)',
        )
        if on_device:
            added.add_argument(
                '--device',
                default='cuda' if torch.cuda.is_available() else 'cpu',
                help='where to compute (default: %(default)s)',
            )
            add_number(added, '--batch-size', BATCH_SIZE, 'images')
            added.add_argument(
                '--amp', action='store_true', help='in mixed precision'
            )
        return added

    branch = mode(
        'branch', "the DRLoc branch against the pseudocode, and Swin-T's step"
    )
    add_number(branch, '--num-pairs', NUM_PAIRS, 'pairs an image')
    for flag, default, what in (
        ('--swept-pairs', SWEPT_PAIRS, 'pairs'),
        ('--swept-batches', SWEPT_BATCHES, 'images'),
    ):
        text = f'numbers of {what} to compare'
        add_number(branch, flag, default, text, nargs='*')
    mode(
        'step',
        "training steps with and without the loss (the supplement's Table 14)",
    ).add_argument(
        'configs',
        nargs='*',
        default=[CONFIGS / f'{m}_drloc.py' for m in MODELS],
        metavar='CONFIG',
        help='classifiers with the loss, which inherit from their baselines '
        f'(default: {", ".join(MODELS)})',
    )
    options = mode(
        'options', 'training steps with each option that may make them faster'
    )
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
        dest='which',
        nargs='+',
        choices=OPTIONS,
        default=list(OPTIONS),
        help='which of them (default: all)',
    )
    add_options(options, '--cfg-options')
    data = mode(
        'data',
        'images/s per core of the augmentations of training from scratch',
        on_device=False,
    )
    add_number(data, '--images', 128, 'different images')
    reading = mode(
        'reading',
        'images/s that one thread reads as files and out of tar shards',
        on_device=False,
    )
    add_number(reading, '--images', 4096, 'images of some 110 KB')
    add_number(
        reading, '--runs', 64, 'shards that the sampler reads at a time'
    )
    reading.add_argument(
        '--disk',
        type=Path,
        default=Path(tempfile.gettempdir()),
        metavar='DIR',
        help='a folder on the disk to measure (default: %(default)s)',
    )
    mode(
        'epoch',
        'whole epochs; other options go to tools/train.py',
        rounds=3,
        on_device=False,
    ).add_argument(
        'configs',
        nargs='+',
        metavar='CONFIG',
        help='the first is what the others are compared with',
    )
    args, rest = parser.parse_known_args()
    if rest and args.mode != 'epoch':
        parser.error(f'unrecognized arguments: {" ".join(rest)}')
    return args, rest


def setting_of(args: argparse.Namespace) -> Setting:
    """How a mode computes that does it in this process.

    Raises:
        UsageError: If there is no such device.
    """
    try:
        device = torch.device(args.device)
        torch.empty(1, device=device)
    except (AssertionError, RuntimeError) as error:
        raise UsageError(
            f'--device {args.device} cannot be used here '
            f'({str(error).splitlines()[0]}): give cpu or cuda'
        ) from error
    return Setting(args.batch_size, args.rounds, device, args.amp)


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
    setting = setting_of(args)
    step = TrainingStep(read_config(SWIN), setting)
    outcome = run_branch(step, args.num_pairs)
    del step  # its memory is needed
    if args.swept_pairs and args.swept_batches:
        picture = args.out / 'branch.png'
        outcome.tables += scaling(
            args.swept_pairs, args.swept_batches, setting, picture
        )
    return outcome


def measure(args: argparse.Namespace, rest: List[str]) -> Outcome:
    """Run the mode that was asked for; ``rest`` is for tools/train.py."""
    if args.mode == 'branch':
        return measure_branch(args)
    if args.mode == 'step':
        twins = [twins_of(Path(config)) for config in args.configs]
        return compare_steps(twins, setting_of(args))
    if args.mode == 'options':
        cfg = read_config(args.config)
        cfg.merge_from_dict(read_options(args.options))
        return compare_options(
            name_of(args.config), cfg, args.which, setting_of(args)
        )
    if args.mode == 'data':
        cfg = read_config(SWIN)
        return compare_pipelines(cfg, args.images, args.rounds)
    if args.mode == 'reading':
        return compare_reading(args.images, args.rounds, args.runs, args.disk)
    folder = args.out / 'epochs'
    return time_epochs(args.configs, args.rounds, rest, folder)


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
