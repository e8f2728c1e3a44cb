"""Runs the tools without starting a process for each."""

import importlib.util
import sys
from pathlib import Path

import pytest
from command_line import TOOLS
from conftest import forget_runners


def main(tool, *line, monkeypatch, cwd):
    """Run a tool's ``main`` in a folder, with a command line."""
    forget_runners()
    spec = importlib.util.spec_from_file_location(
        f'tool_{Path(tool).stem}', TOOLS / tool
    )
    module = importlib.util.module_from_spec(spec)
    monkeypatch.syspath_prepend(str((TOOLS / tool).parent))
    spec.loader.exec_module(module)
    monkeypatch.chdir(cwd)
    monkeypatch.setattr(sys, 'argv', [str(TOOLS / tool), *map(str, line)])
    module.main()


def refusal(tool, *line, monkeypatch, cwd):
    """The one sentence that a tool ends with."""
    with pytest.raises(SystemExit) as ending:
        main(tool, *line, monkeypatch=monkeypatch, cwd=cwd)
    message = str(ending.value.code)
    assert message.startswith('error: ')
    assert '\n' not in message or 'things keep this from running' in message
    return message
