"""Runs the tools without starting a process for each."""

import runpy
import sys

import pytest
from command_line import TOOLS
from conftest import forget_runners


def main(tool, *line, monkeypatch, cwd):
    """Run a tool in a folder, with a command line."""
    forget_runners()
    monkeypatch.syspath_prepend(str((TOOLS / tool).parent))
    monkeypatch.chdir(cwd)
    monkeypatch.setattr(sys, 'argv', [str(TOOLS / tool), *map(str, line)])
    runpy.run_path(str(TOOLS / tool), run_name='__main__')


def refusal(tool, *line, monkeypatch, cwd):
    """The one sentence that a tool ends with."""
    with pytest.raises(SystemExit) as ending:
        main(tool, *line, monkeypatch=monkeypatch, cwd=cwd)
    message = str(ending.value.code)
    assert message.startswith('error: ')
    assert '\n' not in message or 'things keep this from running' in message
    return message
