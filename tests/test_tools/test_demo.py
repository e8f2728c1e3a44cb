"""The demo: its commands fit together, and it ends where one of them fails."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from mmdrloc import apis
from mmdrloc.apis import cli

SOURCE = Path(__file__).parents[2] / 'tools/demo.py'


@pytest.fixture
def demo(monkeypatch):
    spec = importlib.util.spec_from_file_location('demo', SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(sys, 'argv', ['demo.py'])
    monkeypatch.chdir(SOURCE.parents[1])
    return module


def test_its_commands_exist(demo, tmp_path, monkeypatch):
    commands = []

    def run(command):
        commands.append(command)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(subprocess, 'run', run)
    monkeypatch.setattr(demo, 'OUT', tmp_path)
    demo.main()
    calls = []
    names = {
        'train.py': 'train',
        'paired.py': 'compare',
        'report.py': 'report',
    }
    for name in names.values():
        monkeypatch.setattr(
            sys.modules[getattr(apis, name).__module__],
            name,
            lambda *args, **more: (
                calls.append(more) or SimpleNamespace(folder=tmp_path)
            ),
        )
    for _, script, *words in commands:
        assert (SOURCE.parents[1] / script).is_file()
        if Path(script).name in names:
            cli.main([names[Path(script).name], *words])
    assert len(calls) == 3


def test_it_ends_where_a_command_fails(demo, monkeypatch):
    monkeypatch.setattr(
        subprocess, 'run', lambda command: SimpleNamespace(returncode=3)
    )
    with pytest.raises(SystemExit) as end:
        demo.main()
    assert end.value.code == 3
