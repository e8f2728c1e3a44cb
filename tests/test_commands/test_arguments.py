"""Words of a command line are arguments of a function, no more and no less."""

import importlib
import inspect
import os
import subprocess
import sys
from unittest import mock

import pytest

from mmdrloc import apis, commands

# The fewest words that each of them takes.
LINES = dict(
    train=['net.py'],
    test=['net.py', 'a.pth'],
    compare=['net.py', '--seeds', '0'],
    transfer=['a.pth', 'b.pth'],
    report=['run', '--out', 'a.md'],
)
# What Python alone has: on a command line it is an option of the config.
ELSEWHERE = dict(train={'seed'})


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Run a command; what it asks of its function."""

    def ask(command, *line):
        function = mock.Mock()
        function.return_value.folder = tmp_path
        monkeypatch.setattr(apis, command, function)
        module = importlib.import_module(f'mmdrloc.commands.{command}')
        module.main([*LINES[command], *line])
        return function.call_args.kwargs

    return ask


@pytest.mark.parametrize('command', LINES)
def test_a_command_has_the_arguments_of_its_function(asked, command):
    parameters = inspect.signature(getattr(apis, command)).parameters
    arguments = asked(command)
    assert set(arguments) == set(parameters) - ELSEWHERE.get(command, set())
    for name, value in arguments.items():
        if value in (None, False):
            assert parameters[name].default == value


def test_options(asked):
    line = ['--cfg-options', 'a.b=2', 'a.c=[3,x]', '--cfg-options', 'd=None']
    assert asked('train', *line)['options'] == {
        'a.b': 2,
        'a.c': [3, 'x'],
        'd': None,
    }


@pytest.mark.parametrize('option', ['a', 'a=[(1,2]'])
def test_options_that_do_not_parse(asked, capsys, option):
    with pytest.raises(SystemExit) as error:
        asked('train', '--cfg-options', option)
    assert error.value.code == 2
    assert 'is not of the form KEY=VALUE' in capsys.readouterr().err


@pytest.mark.parametrize('flag', ['--local_rank', '--local-rank'])
def test_both_spellings_of_the_local_rank(asked, monkeypatch, flag):
    monkeypatch.setenv('LOCAL_RANK', '')
    monkeypatch.delenv('LOCAL_RANK')
    asked('train', f'{flag}=3')
    assert os.environ['LOCAL_RANK'] == '3'


def test_the_launcher_knows_its_local_rank_better(asked, monkeypatch):
    monkeypatch.setenv('LOCAL_RANK', '1')
    asked('test', '--local_rank=3')
    assert os.environ['LOCAL_RANK'] == '1'


def test_help_waits_for_no_library():
    names = sorted(set(commands.COMMANDS))
    code = (
        'import sys; from importlib import import_module\n'
        f'for name in {names}:\n'
        '    import_module(f"mmdrloc.commands.{name}")\n'
        'assert not {"torch", "mmengine", "numpy"} & set(sys.modules)'
    )
    subprocess.run([sys.executable, '-c', code], check=True)


@pytest.mark.parametrize('command', commands.COMMANDS)
def test_help_of_each_command(command, capsys):
    with pytest.raises(SystemExit) as end:
        commands.main([command, '--help'])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f'usage: mmdrloc {command} ')


def test_commands_are_listed(capsys):
    with pytest.raises(SystemExit):
        commands.main(['--help'])
    shown = capsys.readouterr().out
    for command in commands.COMMANDS:
        assert f'\n  {command} ' in shown
    with pytest.raises(SystemExit) as end:
        commands.main(['tarin'])
    assert end.value.code == 2
