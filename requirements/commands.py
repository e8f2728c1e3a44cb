"""Commands whose output goes into a log, and what to do when one fails."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict, Optional

SHOW_EVERY_S = 30

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
        r'Python\.h: No such file',
        "Python's C headers are missing, which mmcv needs: install them "
        '(Debian, Ubuntu: apt-get install python3-dev) and run the command '
        'again; without them, make env TASKS=classification',
    ),
    (
        r'Killed signal terminated program|\(program cc1plus\)',
        'the compiler ran out of memory: run the command again with '
        'MAX_JOBS=1',
    ),
)


class SetupError(Exception):
    """A step failed; the message is a sentence with cause and remedy."""


class Commands:
    """Runs commands; their output is appended to a log."""

    def __init__(self, log: Path) -> None:
        self.log = log

    def run(
        self, *command: object, variables: Optional[Dict[str, str]] = None
    ) -> None:
        """Run a command; show its last lines and raise SetupError if it fails.

        Args:
            *command (object): The program and its arguments.
            variables (dict[str, str], optional): Added to the environment.
        """
        output = self.output_if_failed(*command, variables=variables)
        if output is None:
            return
        last_lines = '\n'.join(output.splitlines()[-12:])
        print(f'{last_lines}\n(all of it is in {self.log})', file=sys.stderr)
        for pattern, sentence in REMEDIES:
            if re.search(pattern, output):
                raise SetupError(sentence)
        raise SetupError(
            'the lines above and the log say why: mend it and run again'
        )

    def output_if_failed(
        self, *command: object, variables: Optional[Dict[str, str]] = None
    ) -> Optional[str]:
        """Run a command; what it printed, or None where it succeeded."""
        with self.log.open('a+', errors='replace') as log:
            begin = log.seek(0, os.SEEK_END)
            process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(variables or {})},
                # So that compilers do not outlive an interruption.
                start_new_session=True,
            )
            try:
                self.watch(process, begin)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGINT)
                    process.wait()
            return self.text_from(begin) if process.returncode else None

    def watch(self, process: subprocess.Popen, begin: int) -> None:
        """Show now and then that a process goes on, until it ends."""
        start = time.monotonic()
        while True:
            try:
                process.wait(timeout=SHOW_EVERY_S)
                return
            except subprocess.TimeoutExpired:
                line = f'      {as_time(time.monotonic() - start)}'
                counts = re.findall(  # ninja's
                    r'^\s*\[(\d+)/(\d+)\]', self.text_from(begin), re.MULTILINE
                )
                if counts:
                    line += ', {} of {} files compiled'.format(*counts[-1])
                say(line)

    def text_from(self, begin: int) -> str:
        """What the log holds from a place on."""
        with self.log.open(errors='replace') as stream:
            stream.seek(begin)
            return stream.read()


def say(text: str) -> None:
    """Print at once, also into a pipe."""
    print(text, flush=True)


def as_time(seconds: float) -> str:
    """Seconds in words, such as ``3 min 20 s``."""
    minutes, seconds = divmod(round(seconds), 60)
    return f'{minutes} min {seconds} s' if minutes else f'{seconds} s'
