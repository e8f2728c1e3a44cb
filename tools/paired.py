#!/usr/bin/env python
"""Train twins and their baseline over several seeds, and compare them.

Every run is a call of tools/train.py and is printed before it begins; options
that are not listed below go to each of them. Interrupted, the same command
goes on where it stopped: finished runs are kept, begun ones resumed from
their last checkpoint. At the end: the differences to the baseline, paired by
seed, with 95 % confidence intervals, and a report of all runs.

The baseline is the recipe that a twin inherits from. With several weights, one
recipe is trained from each of them, and the first are the baseline.
"""

import argparse
import os
import shlex
from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence, Tuple

from mmengine.config import Config

from mmdrloc.checks import check_config, refuse
from mmdrloc.console.console import CONSOLE
from mmdrloc.engine.launch import (
    add_shared_arguments,
    add_weights_argument,
    load_config,
)
from mmdrloc.engine.side_by_side import SideBySide, Step
from mmdrloc.engine.signals import WATCH
from mmdrloc.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.recipes import baseline_of, work_dir_of
from mmdrloc.reporting.paired import paired_section
from mmdrloc.reporting.published import read_published
from mmdrloc.reporting.report import write_report
from mmdrloc.reporting.runs import load_runs
from mmdrloc.transfer.starting_weights import try_weights

TOOLS = Path(__file__).resolve().parent
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
# In place of weights: the recipe's own start.
NONE = 'none'


class Arm(NamedTuple):
    """What is trained with each seed.

    Args:
        config (str): Its file.
        weights (str, optional): What it starts from. Defaults to None: the
            config's own start.
    """

    config: str
    weights: Optional[str] = None

    @property
    def title(self) -> str:
        """In the names of its folders."""
        name = Path(self.config).stem
        if self.weights is None:
            return name
        weights = Path(self.weights)
        if weights.suffix:  # names such as epoch_10 tell nothing
            weights = weights.with_name(
                f'{weights.parent.name}_{weights.stem}'
            )
        return f'{name}_from_{weights.name}'

    @property
    def words(self) -> List[str]:
        """What a command says of its weights."""
        return [] if self.weights is None else ['--weights', self.weights]


def parse_args() -> Tuple[argparse.Namespace, List[str]]:
    """Read the command line.

    Returns:
        tuple[argparse.Namespace, list[str]]: The arguments, and the options
        of tools/train.py.
    """
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        'configs', nargs='+', metavar='TWIN', help='configs to be compared'
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
        default=[],
        metavar='FILE|RUN',
        help='what all runs start from; of several (or "none") each is '
        'compared with the first',
    )
    parser.add_argument(
        '--jobs',
        type=int,
        choices=[1, 2],
        default=1,
        help='runs at a time (default: 1)',
    )
    parser.add_argument(
        '--work-dir',
        type=Path,
        metavar='DIR',
        help='where the runs and the report go (default: '
        'work_dirs/<first config>_<data set>_paired)',
    )
    return parser.parse_known_args()


def load(arm: Arm, options: Sequence[str]) -> Tuple[Config, bool]:
    """Read a config as tools/train.py would.

    Args:
        arm (Arm): Its config and weights.
        options (Sequence[str]): Of tools/train.py.

    Returns:
        tuple[Config, bool]: The config, and whether to leave its data
        unread.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument('config')
    add_shared_arguments(parser)
    add_weights_argument(parser)
    words = [arm.config, *arm.words, *options]
    args, _ = parser.parse_known_args(words)
    return load_config(args), args.skip_data_check


def arms_of(args: argparse.Namespace, options: Sequence[str]) -> List[Arm]:
    """What is trained.

    Args:
        args (argparse.Namespace): The command line.
        options (Sequence[str]): Of tools/train.py.

    Returns:
        list[Arm]: The baseline first.

    Raises:
        UsageError: If there is no baseline, or more than one.
    """
    starts = [None if name == NONE else name for name in args.weights]
    if len(starts) > 1:
        if len(args.configs) > 1 or args.baseline:
            raise UsageError(
                'several --weights are compared in one config: give one '
                'config, without --baseline, or one of the weights.'
            )
        return [Arm(args.configs[0], start) for start in starts]
    start = starts[0] if starts else None
    twins = [Arm(config, start) for config in args.configs]
    if args.baseline:
        return [Arm(args.baseline, start), *twins]
    baselines = []
    for twin in twins:
        path = baseline_of(twin.config, load(twin, options)[0])
        if path is None:
            raise UsageError(
                f'{twin.config} is no twin of a baseline that it inherits '
                'from: give a config with DRLoc, or say --baseline CONFIG.'
            )
        baselines.append(os.path.relpath(path))
    if len(set(baselines)) > 1:
        raise UsageError(
            f'these twins have several baselines, {", ".join(baselines)}: '
            'compare those of one at a time.'
        )
    return [Arm(baselines[0], start), *twins]


def check(arms: Sequence[Arm], options: Sequence[str]) -> None:
    """Look for faults of all configs before the first one is trained.

    Args:
        arms (Sequence[Arm]): What is trained.
        options (Sequence[str]): Of tools/train.py.

    Raises:
        UsageError: With all that was found.
    """
    titles = [arm.title for arm in arms]
    for title in titles:
        if titles.count(title) > 1:
            raise UsageError(
                f'two of what is compared have the name {title}, which their '
                'runs would share: rename one, or give it once'
            )
    findings = []
    for arm in arms:
        cfg, skip_data_check = load(arm, options)
        try_weights(cfg, arm.weights, '--partial' in options)
        findings += check_config(cfg, ['train', 'val'], skip_data_check)
    refuse(list(dict.fromkeys(findings)))


def train_step(
    arm: Arm, seed: int, work_dir: Path, options: Sequence[str]
) -> Step:
    """Train a config; its training goes on where it was stopped.

    Args:
        arm (Arm): The config with its weights.
        seed (int): Of the run.
        work_dir (Path): Of all runs.
        options (Sequence[str]): Of tools/train.py.

    Returns:
        Step: Of the run.

    Raises:
        UsageError: If another command wrote the folder of the run.
    """
    title = f'{arm.title}_seed{seed}'
    folder = work_dir / title
    command = [
        os.path.relpath(TOOLS / 'train.py'),
        arm.config,
        '--work-dir',
        str(folder),
        *arm.words,
        *options,
        '--cfg-options',
        f'randomness.seed={seed}',
    ]
    step = Step(title, command, 1.0, work_dir / f'logs/{title}.txt', folder)
    earlier = step.result().get('command')
    if earlier is None:
        return step
    flags = ('--resume', '--overwrite')
    words = [word for word in shlex.split(earlier) if word not in flags]
    if words[1:] != command[1:]:
        raise UsageError(
            f'{folder} holds the run of another command, {earlier}: give '
            'another --work-dir'
        )
    return step


def compare(args: argparse.Namespace, options: Sequence[str]) -> None:
    """Train all runs that are not finished, and report.

    Args:
        args (argparse.Namespace): The command line.
        options (Sequence[str]): Of tools/train.py.
    """
    arms = arms_of(args, options)
    check(arms, options)
    work_dir = args.work_dir
    if work_dir is None:
        first = args.configs[0]
        cfg = load(Arm(first, arms[-1].weights), options)[0]
        work_dir = Path(f'{work_dir_of(first, cfg)}_paired')
    steps = {
        (arm, seed): train_step(arm, seed, work_dir, options)
        for seed in dict.fromkeys(args.seeds)
        for arm in arms
    }
    SideBySide(args.jobs, len(steps)).run(list(steps.values()))
    runs = load_runs([step.work_dir for step in steps.values()])
    [baseline] = load_runs([steps[arms[0], args.seeds[0]].work_dir])
    report = work_dir / 'report.md'
    write_report(
        runs,
        report,
        f'Runs paired with {baseline.config}',
        published=read_published(TOOLS.parent / 'configs/published.yml'),
        baseline=baseline.config,
    )
    section = paired_section(runs, baseline.config)
    print(f'\n{section}\n\nwritten: {report}')


def main() -> None:
    """Run the command line."""
    args, options = parse_args()
    with (
        usage_errors_in_one_sentence(),
        WATCH.watching(),
        CONSOLE.opened('--verbose' in options),
    ):
        compare(args, options)


if __name__ == '__main__':
    main()
