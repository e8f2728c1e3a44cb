#!/usr/bin/env python
"""Train a baseline and its twins over several seeds, and compare them.

Every run is a call of tools/train.py and is printed before it begins; options
that are not listed below go to each of them. Interrupted, the same command
goes on where it stopped: finished runs are kept, begun ones resumed from
their last checkpoint. At the end: the differences to the baseline, paired by
seed, with 95 % confidence intervals, and a report of all runs.
"""

import argparse
import os
import shlex
from pathlib import Path
from typing import List, Sequence, Tuple

from mmdrloc.checks import check_config, refuse
from mmdrloc.console.console import CONSOLE
from mmdrloc.engine.launch import add_shared_arguments, load_config
from mmdrloc.engine.side_by_side import SideBySide, Step
from mmdrloc.engine.signals import WATCH
from mmdrloc.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.reporting.paired import paired_section
from mmdrloc.reporting.published import read_published
from mmdrloc.reporting.report import write_report
from mmdrloc.reporting.runs import load_runs

TOOLS = Path(__file__).resolve().parent
EXAMPLES = """examples:
  python tools/paired.py configs/quickstart/swin-2stage_digits.py \\
      configs/quickstart/swin-2stage_drloc_digits.py --seeds 0 1 2 --jobs 2
  python tools/paired.py BASELINE TWIN --seeds 0 1 2 3 4 --amp \\
      --cfg-options train_cfg.max_epochs=10
"""


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
    parser.add_argument('baseline', help='the config of the baseline')
    parser.add_argument(
        'twins', nargs='+', help='configs to be compared with it'
    )
    parser.add_argument(
        '--seeds', type=int, nargs='+', required=True, help='a run each'
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
        'work_dirs/<name of the baseline>_paired)',
    )
    return parser.parse_known_args()


def check(configs: Sequence[str], options: Sequence[str]) -> None:
    """Look for faults of all configs before the first one is trained.

    Args:
        configs (Sequence[str]): Config files.
        options (Sequence[str]): Of tools/train.py.

    Raises:
        UsageError: With all that was found.
    """
    names = [Path(config).stem for config in configs]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(
                f'two configs have the name {name}, which their runs would '
                'share: rename one'
            )
    parser = argparse.ArgumentParser()
    parser.add_argument('config')
    add_shared_arguments(parser)
    findings = []
    for config in configs:
        args, _ = parser.parse_known_args([config, *options])
        cfg = load_config(args)
        findings += check_config(cfg, ['train', 'val'], args.skip_data_check)
    refuse(list(dict.fromkeys(findings)))


def train_step(
    config: str, seed: int, work_dir: Path, options: Sequence[str]
) -> Step:
    """Train a config; its training goes on where it was stopped.

    Args:
        config (str): Config file.
        seed (int): Of the run.
        work_dir (Path): Of all runs.
        options (Sequence[str]): Of tools/train.py.

    Returns:
        Step: Of the run.

    Raises:
        UsageError: If another command wrote the folder of the run.
    """
    title = f'{Path(config).stem}_seed{seed}'
    folder = work_dir / title
    command = [
        os.path.relpath(TOOLS / 'train.py'),
        config,
        '--work-dir',
        str(folder),
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


def compare(
    args: argparse.Namespace, options: Sequence[str], work_dir: Path
) -> None:
    """Train all runs that are not finished, and report.

    Args:
        args (argparse.Namespace): The command line.
        options (Sequence[str]): Of tools/train.py.
        work_dir (Path): Of all runs.
    """
    configs = [args.baseline, *args.twins]
    check(configs, options)
    steps = [
        train_step(config, seed, work_dir, options)
        for seed in dict.fromkeys(args.seeds)
        for config in configs
    ]
    SideBySide(args.jobs, len(steps)).run(steps)
    runs = load_runs([step.work_dir for step in steps])
    baseline = Path(args.baseline).stem
    report = work_dir / 'report.md'
    write_report(
        runs,
        report,
        f'Runs paired with {baseline}',
        published=read_published(TOOLS.parent / 'model-index.yml'),
        baseline=baseline,
    )
    print(f'\n{paired_section(runs, baseline)}\n\nwritten: {report}')


def main() -> None:
    """Run the command line."""
    args, options = parse_args()
    work_dir = args.work_dir or Path(
        'work_dirs', f'{Path(args.baseline).stem}_paired'
    )
    with (
        usage_errors_in_one_sentence(),
        WATCH.watching(),
        CONSOLE.opened('--verbose' in options),
    ):
        compare(args, options, work_dir)


if __name__ == '__main__':
    main()
