"""What command lines share: words that are arguments of ``mmdrloc.apis``.

Nothing here imports a library: ``--help`` answers at once.
"""

import argparse
import os
from typing import Any, Dict, Optional, Sequence

# The words of a command, None for those of the process.
Words = Optional[Sequence[str]]


def command_parser(
    description: str, examples: str, prog: Optional[str] = None
) -> argparse.ArgumentParser:
    """A parser whose help shows examples as they are written.

    Args:
        description (str): What the command does.
        examples (str): Shown at the end.
        prog (str, optional): What the command is called. Defaults to the
            name of the script.

    Returns:
        argparse.ArgumentParser: Without arguments as yet.
    """
    return argparse.ArgumentParser(
        prog,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


class OptionsAction(argparse.Action):
    """``KEY=VALUE`` pairs; anything else is a usage error of the parser."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Sequence[str],
        option_string: Optional[str] = None,
    ) -> None:
        """Read the pairs into a dict; see :class:`argparse.Action`."""
        # Importing it takes seconds, which whoever asks for help would wait.
        from mmengine.config import DictAction

        read = DictAction(self.option_strings, self.dest, nargs='+')
        try:
            read(parser, namespace, values, option_string)
        except (ValueError, AssertionError) as error:
            raise argparse.ArgumentError(
                self,
                f'{" ".join(values)} is not of the form KEY=VALUE '
                '(lists: KEY="[a,b]", without spaces)',
            ) from error


# What several commands know, with what argparse is told of it.
SHARED: Dict[str, Dict[str, Any]] = {
    'config': dict(help='config of the training'),
    'checkpoint': dict(help='checkpoint of the training'),
    '--dataset': dict(
        metavar='NAME|FILE|FOLDER',
        help='the data: a data set of configs/_base_/datasets, a config that '
        'describes one as they do, or a folder of images '
        "(default: the config's own)",
    ),
    '--cfg-options': dict(
        dest='options',
        nargs='+',
        action=OptionsAction,
        metavar='KEY=VALUE',
        help='change settings of the config: '
        'optim_wrapper.optimizer.lr=0.001 key="[a,b]"',
    ),
    '--trust': dict(
        action='store_true',
        help='read checkpoints and annotations even if they hold more than '
        'tensors and plain values; this runs any code that they contain',
    ),
    '--partial': dict(
        action='store_true',
        help='start from a checkpoint of which only a part fits; what does '
        'not come is listed',
    ),
    '--skip-data-check': dict(
        action='store_true',
        help='do not read annotations, images and label maps beforehand; '
        'whether they are there is looked at all the same',
    ),
    '--verbose': dict(
        action='store_true',
        help='show all that the libraries say; it is in the log of a run in '
        'any case',
    ),
    '--amp': dict(
        action='store_true',
        help='train in mixed precision (on CPUs: bfloat16)',
    ),
    '--augment-on-device': dict(
        action='store_true',
        help='compute crops, flips, RandAugment and RandomErasing on the '
        "model's device, which only draws them in the loader: for small "
        'images and a GPU that waits for them',
    ),
    '--auto-scale-lr': dict(
        action='store_true',
        help="scale the learning rate from the config's reference batch to "
        'the actual one',
    ),
}


def add_shared(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add some of what several commands know.

    Args:
        parser (argparse.ArgumentParser): Of a command.
        names (str): Of ``SHARED``.
    """
    for name in names:
        parser.add_argument(name, **SHARED[name])


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add where one run goes, and on which processes.

    Args:
        parser (argparse.ArgumentParser): Of a command.
    """
    parser.add_argument(
        '--work-dir',
        metavar='DIR',
        help="where logs and results go (default: the config's work_dir, or "
        'work_dirs/<recipe>_<data set>)',
    )
    parser.add_argument(
        '--launcher',
        choices=['none', 'pytorch', 'slurm', 'mpi'],
        default='none',
        help='how the processes of a distributed run are started '
        '(default: none; dist_train.sh and dist_test.sh use pytorch)',
    )
    # Launchers pass one or the other; torchrun sets the environment instead.
    parser.add_argument(
        '--local_rank',
        '--local-rank',
        type=int,
        help='set by launchers, not by you',
    )


def arguments_of(args: argparse.Namespace) -> Dict[str, Any]:
    """Arguments for a function of ``mmdrloc.apis``.

    Args:
        args (argparse.Namespace): Of a command with
            :func:`add_run_arguments`. A rank in it goes into the
            environment, where the launcher's own word counts more.

    Returns:
        dict: By the function's names.
    """
    arguments = dict(vars(args))
    rank = arguments.pop('local_rank')
    if rank is not None:
        os.environ.setdefault('LOCAL_RANK', str(rank))
    return arguments
