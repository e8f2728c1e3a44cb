"""The command line: each module is a command, ``mmdrloc NAME`` calls it.

A command reads its words and calls :mod:`mmdrloc.apis`; the scripts in
``tools`` are the same commands under OpenMMLab's names. The ``main`` of each
takes its words, by default those of the process, and what it is called.
"""

import argparse
import sys
from importlib import import_module
from typing import Optional, Sequence

from mmdrloc.version import __version__

COMMANDS = dict(
    train='train a recipe',
    test='evaluate a checkpoint',
    compare='train twins and their baseline over several seeds',
    transfer='carry a backbone from one format into another',
    report='tables, curves and pictures of runs',
    publish='a trained model as a folder for others',
    export='a classifier as an ONNX file',
    recipes='list and search the recipes',
    doctor='what is wrong with this installation',
)


def main(argv: Optional[Sequence[str]] = None) -> None:
    """Run ``mmdrloc COMMAND ...``.

    Args:
        argv (Sequence[str], optional): The words after ``mmdrloc``. Defaults
            to those of the process.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    listed = '\n'.join(f'  {name:<10}{COMMANDS[name]}' for name in COMMANDS)
    parser = argparse.ArgumentParser(
        'mmdrloc',
        description='Vision transformers that train well on small data.',
        epilog=f'commands:\n{listed}\n\nmmdrloc COMMAND --help says more.',
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('--version', action='version', version=__version__)
    parser.add_argument('command', choices=COMMANDS, metavar='COMMAND')
    command = parser.parse_args(words[:1]).command
    module = import_module(f'{__name__}.{command}')
    module.main(words[1:], f'mmdrloc {command}')
