"""Runs the tools in processes of their own that need not import anything."""

import multiprocessing
import os
import runpy
import sys
from pathlib import Path
from typing import Callable

from command_line import TOOLS

FORK = multiprocessing.get_context('fork')


def start(
    tool: str, *line, cwd: Path, first: Callable = lambda: None
) -> multiprocessing.Process:
    """Begin a tool's ``main`` in a folder, with a command line.

    Args:
        tool (str): Its name.
        *line: The command line.
        cwd (Path): Where; what it says is in ``said.txt`` there.
        first (Callable): What the process does first. Defaults to nothing.

    Returns:
        Process: With the exit status of the tool.
    """
    process = FORK.Process(target=_main, args=(tool, line, cwd, first))
    process.start()
    return process


def run(tool: str, *line, cwd: Path, **options) -> int:
    """Run a tool to its end; its exit status."""
    process = start(tool, *line, cwd=cwd, **options)
    process.join(300)
    assert process.exitcode is not None
    return process.exitcode


def said(cwd: Path) -> str:
    """What the tools said in a folder, the last one last."""
    return (cwd / 'said.txt').read_text()


def _main(tool, line, cwd, first):
    os.setpgid(0, 0)
    os.chdir(cwd)
    with open('said.txt', 'a', buffering=1) as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.stdout, sys.stderr = os.fdopen(1, 'w', 1), os.fdopen(2, 'w', 1)
    first()
    sys.argv = [str(TOOLS / tool), *map(str, line)]
    sys.path.insert(0, str(TOOLS))
    runpy.run_path(sys.argv[0], run_name='__main__')
