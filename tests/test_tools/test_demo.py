"""The demo: its commands fit together, and it ends where one of them fails."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from made_up_run import write_run

from mmdrloc.apis import cli

SOURCE = Path(__file__).parents[2] / 'tools/demo.py'


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """The module, working in a folder of its own."""
    spec = importlib.util.spec_from_file_location('demo', SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, 'OUT', tmp_path)
    monkeypatch.setattr(sys, 'argv', ['demo.py'])
    return module


def trained(command, tmp_path):
    """What a command would leave behind."""
    _, script, *words = command
    if script.endswith('paired.py'):
        folder = Path(words[words.index('--work-dir') + 1])
        recipe = Path(words[0]).stem
        seeds = words[words.index('--seeds') + 1 : words.index('--work-dir')]
        for seed in seeds:
            for start, gain in (('', 0), ('_from_swin-2stage_drloc', 20)):
                name = f'{recipe}{start}'
                made = write_run(
                    tmp_path / 'made', name, int(seed), [30 + gain + int(seed)]
                )
                made.rename(folder / f'{name}_seed{seed}')
    return SimpleNamespace(returncode=0)


def test_its_commands_exist_and_the_report_has_all_runs(
    demo, tmp_path, monkeypatch, capsys
):
    commands = []

    def run(command):
        commands.append(command)
        return trained(command, tmp_path)

    for network in demo.DENSE:
        (tmp_path / network.replace(' ', '-')).mkdir()
    monkeypatch.setattr(subprocess, 'run', run)
    demo.main()
    names = {'train.py': 'train', 'paired.py': 'compare'}
    for name in names.values():
        module = f'mmdrloc.apis.{cli.COMMANDS[name].module}'
        monkeypatch.setattr(
            f'{module}.{name}',
            lambda *args, **more: SimpleNamespace(folder=tmp_path),
        )
    for _, script, *words in commands:
        assert (SOURCE.parents[1] / script).is_file()
        if Path(script).name in names:
            cli.main([names[Path(script).name], *words])
    *_, report = commands
    assert sum('_seed' in word for word in report) == 2 * 3
    assert '+20.0' in capsys.readouterr().out


def test_it_ends_where_a_command_fails(demo, monkeypatch):
    monkeypatch.setattr(
        subprocess, 'run', lambda command: SimpleNamespace(returncode=3)
    )
    with pytest.raises(SystemExit) as end:
        demo.main()
    assert end.value.code == 3
