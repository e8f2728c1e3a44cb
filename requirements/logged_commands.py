"""Commands whose output goes into a log, and what to do when one fails."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict, Optional

NO_COMPILER = (
    'there is no C++ compiler, which detection needs (mmcv is compiled): '
    'install one (Debian, Ubuntu: apt-get install g++) or name it in CXX, and '
    'run the command again; without one, make env TASKS=classification'
)

# What in the output tells the cause of a failure, and what the user can do.
REMEDIES = (
    (
        'No space left on device',
        'the disk is full: free the space where the checkout, the caches of '
        'pip and uv and TMPDIR lie, and run the command again',
    ),
    (
        'ensurepip is not available|No module named ensurepip',
        'this Python cannot make virtual environments: install its venv '
        'module (Debian, Ubuntu: apt-get install python3-venv)',
    ),
    (
        'Temporary failure in name resolution|NewConnectionError|Max retries'
        '|ConnectTimeout|ReadTimeout|ProxyError|SSLError'
        '|No matching distribution found|conflicting dependencies',
        'the package registry does not answer, or lacks a pinned package '
        'for this platform: check the network and what `pip config list` '
        'says, and run the command again',
    ),
    (
        r'(c|g)\+\+\S*: (command )?not found'
        r"|command '\S*(g\+\+|c\+\+|gcc|cc)' failed: No such file",
        NO_COMPILER,
    ),
    (
        r'Killed signal terminated program|\(program cc1plus\)',
        'the compiler ran out of memory: run the command again with '
        'MAX_JOBS=1',
    ),
)


class SetupError(Exception):
    """A step failed; the message is a sentence with cause and remedy."""


class LoggedCommands:
    """Runs commands, their output in a log, and shows that they go on.

    Args:
        log (Path): The log; it is appended to.
        programs (Path): A folder that is searched before PATH.
    """

    def __init__(self, log: Path, programs: Path) -> None:
        self.log = log
        self.programs = programs

    def run(
        self, *command: object, variables: Optional[Dict[str, str]] = None
    ) -> None:
        """Run a command.

        Args:
            *command (object): The program and its arguments.
            variables (dict[str, str], optional): Added to the environment.

        Raises:
            SetupError: The command failed; its last lines are shown.
        """
        output = self.output_if_failed(*command, variables=variables)
        if output is None:
            return
        last_lines = '\n'.join(output.splitlines()[-12:])
        print(f'{last_lines}\n(all of it is in {self.log})', file=sys.stderr)
        raise SetupError(remedy_for(output))

    def output_if_failed(
        self, *command: object, variables: Optional[Dict[str, str]] = None
    ) -> Optional[str]:
        """Run a command; see :meth:`run`.

        Returns:
            str, optional: What it printed, if it failed.
        """
        environment = {**os.environ, **(variables or {})}
        path = f'{self.programs}{os.pathsep}{environment["PATH"]}'
        with self.log.open('a+') as log:
            begin = log.seek(0, os.SEEK_END)
            process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**environment, 'PATH': path},
                # So that compilers do not outlive an interruption.
                start_new_session=True,
            )
            try:
                watch(process, self.log, begin)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGINT)
                    process.wait()
        return text_from(self.log, begin) if process.returncode else None


def remedy_for(output: str) -> str:
    """A sentence about the output of a command that failed."""
    for pattern, sentence in REMEDIES:
        if re.search(pattern, output):
            return sentence
    return 'the lines above and the log say why: mend it and run again'


def text_from(log: Path, begin: int) -> str:
    """What a log holds from a place on."""
    with log.open(errors='replace') as stream:
        stream.seek(begin)
        return stream.read()


def watch(process: subprocess.Popen, log: Path, begin: int) -> None:
    """Show the time a process takes until it ends, and its ninja's count.

    Args:
        process (Popen): The process; it writes to the log.
        log (Path): The log.
        begin (int): Where in the log the process's output begins.
    """
    on_terminal = sys.stdout.isatty()
    every = 1 if on_terminal else 60
    start = time.monotonic()
    while True:
        try:
            process.wait(timeout=every)
            break
        except subprocess.TimeoutExpired:
            line = f'      {as_time(time.monotonic() - start)}'
            counts = re.findall(
                r'^\s*\[(\d+)/(\d+)\]', text_from(log, begin), re.MULTILINE
            )
            if counts:
                line += ', {} of {} files compiled'.format(*counts[-1])
            print(
                f'\r{line}' if on_terminal else line,
                end='' if on_terminal else '\n',
                flush=True,
            )
    if on_terminal:
        print('\r' + ' ' * 70 + '\r', end='', flush=True)


def say(text: str) -> None:
    """Print at once, also into a pipe."""
    print(text, flush=True)


def as_time(seconds: float) -> str:
    """Seconds in words, such as ``3 min 20 s``."""
    minutes, seconds = divmod(round(seconds), 60)
    return f'{minutes} min {seconds} s' if minutes else f'{seconds} s'
