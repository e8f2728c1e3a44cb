"""Words of a command line are arguments of a function, no more and no less."""

import inspect
import shlex
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from mmdrloc import apis
from mmdrloc.apis import cli

RECIPE = 'quickstart/swin-2stage'
# The fewest words that each of them takes.
LINES = dict(
    train=[RECIPE],
    test=[RECIPE, __file__],
    compare=[RECIPE, '--seeds', '0'],
    predict=['.', 'tests'],
    show=[RECIPE],
    transfer=[__file__, 'b.pth'],
    report=['run', '--out', 'a.md'],
    publish=[RECIPE, __file__, 'folder'],
    export=[RECIPE, __file__, 'a.onnx'],
)


class Outcome(list):
    """What is printed in the end, whatever it is."""

    folder = Path('work_dirs')

    def __format__(self, form):
        return ''


@pytest.fixture
def asked(monkeypatch):
    """Run a command; what it asks of its function."""

    def ask(command, *line):
        function = mock.Mock(return_value=Outcome())
        module = sys.modules[getattr(apis, command).__module__]
        monkeypatch.setattr(module, command, function)
        cli.main([command, *LINES[command], *line])
        return function.call_args.kwargs

    return ask


@pytest.mark.parametrize('command', LINES)
def test_a_command_has_the_arguments_of_its_function(asked, command):
    parameters = inspect.signature(getattr(apis, command)).parameters
    arguments = asked(command)
    assert set(arguments) == set(parameters)
    for name, value in arguments.items():
        if value in (None, False, 'none'):
            assert parameters[name].default in (value, None, False)


def test_options(asked):
    line = ['--cfg-options', 'a.b=2', 'a.c=[3,x]', '--cfg-options', 'd=None']
    assert asked('train', *line)['options'] == {
        'a.b': 2,
        'a.c': [3, 'x'],
        'd': None,
    }


@pytest.mark.parametrize('option', ['a', 'a=[(1,2]', 'a={b: [1, 2]}'])
def test_options_that_do_not_parse(asked, capsys, option):
    with pytest.raises(SystemExit) as error:
        asked('train', '--cfg-options', option)
    assert error.value.code
    said = capsys.readouterr().err + str(error.value)
    assert 'KEY=' in said and option in said


@pytest.mark.parametrize('flag', ['--local_rank', '--local-rank'])
def test_what_a_launcher_passes_is_no_argument(asked, flag):
    assert 'local_rank' not in asked('train', f'{flag}=3')


def test_the_command_is_as_it_was_typed(asked):
    line = ['--cfg-options', 'a=[1, 2]', '--seed', '0', '--partial']
    found = asked('train', *line)
    assert shlex.split(found['command']) == ['mmdrloc', 'train', RECIPE, *line]
    assert found['partial'] is True and found['launcher'] == 'none'
    assert found['options'] == {'a': [1, 2]}


@pytest.mark.parametrize('command', cli.COMMANDS)
def test_help(command, capsys):
    with pytest.raises(SystemExit) as end:
        cli.main([command, '--help'])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f'usage: mmdrloc {command} ')


def test_a_misspelt_option_is_answered_with_the_nearest(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(['train', RECIPE, '--datset', 'a'])
    assert end.value.code == 2
    assert capsys.readouterr().err.endswith('did you mean --dataset?\n')


def test_a_name_of_a_model_zoo_may_have_a_dot(asked):
    name = 'regnetx-3.2gf_8xb64_in1k'
    assert asked('train', '--weights', name)['weights'] == name


@pytest.mark.parametrize(
    'line',
    [
        ['predict', 'no_run', 'no.jpg'],
        ['test', RECIPE, 'no.pth'],
        ['transfer', 'no.pth', 'out.pth'],
    ],
)
def test_files_that_are_missing(line, capsys):
    with pytest.raises(SystemExit, match='there is no .*no'):
        cli.main(line)
    assert 'importing' not in capsys.readouterr().out


@pytest.mark.parametrize(
    'line, meant',
    [
        (['quickstart/swin-2stag'], 'quickstart/swin-2stage'),
        ([RECIPE, '--dataset', 'digts'], 'digits'),
    ],
)
def test_words_are_looked_at_before_libraries_are_imported(line, meant):
    code = (
        'import sys; from mmdrloc.apis.cli import main\n'
        'try:\n'
        f'    main({["train", *line]})\n'
        'finally:\n'
        '    assert not {"torch", "mmengine"} & set(sys.modules)'
    )
    outcome = subprocess.run(
        [sys.executable, '-c', code], text=True, capture_output=True
    )
    assert outcome.returncode == 1 and 'Traceback' not in outcome.stderr
    assert f'did you mean {meant}?' in outcome.stderr
