"""Words of a command line are arguments of a function, no more and no less."""

import inspect
import os
import shlex
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from mmdrloc import apis
from mmdrloc.apis import cli
from mmdrloc.utils.errors import UsageError

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


@pytest.mark.parametrize(
    'text, value',
    [
        ('[dict(c=dict(d=(1,None)))]', [{'c': {'d': (1, None)}}]),
        ("{'a': [1, {'b': 'c, d'}]}", {'a': [1, {'b': 'c, d'}]}),
        ('[a,b]', ['a', 'b']),
        ('a,1', ['a', 1]),
        ('1, 2', [1, 2]),
        ('[1, 2]', [1, 2]),
        ('/my runs/a', '/my runs/a'),
        ('(1,2)', (1, 2)),
        ('[(1,2),[x,True]]', [(1, 2), ['x', True]]),
        ("'1'", '1'),
        ('1e-3', 0.001),
        ('lr=[1]', 'lr=[1]'),
        ("open('a')", "open('a')"),
        ('', ''),
    ],
)
def test_values_after_cfg_options(text, value):
    found = cli.read_options([f'a.b={text}', 'c=1'])
    assert found == {'a.b': value, 'c': 1}


@pytest.mark.parametrize(
    'text', ["dict(a=open('b'))", '[dict(a=b)]', '[1,2', '{[1]: 2}']
)
def test_what_is_no_value_is_refused(text):
    with pytest.raises(UsageError, match='cannot be read'):
        cli.read_options([f'a={text}'])


@pytest.mark.parametrize('flag', ['--local_rank', '--local-rank'])
def test_what_a_launcher_passes_is_no_argument(asked, flag):
    assert 'local_rank' not in asked('train', f'{flag}=3')


def test_the_command_is_as_it_was_typed(asked):
    line = ['--cfg-options', 'a=[1, 2]', '--seed', '0', '--partial']
    found = asked('train', *line)
    assert shlex.split(found['command']) == ['mmdrloc', 'train', RECIPE, *line]
    assert found['partial'] is True and found['launcher'] == 'none'


@pytest.mark.parametrize('command', cli.COMMANDS)
def test_help(command, capsys):
    with pytest.raises(SystemExit) as end:
        cli.main([command, '--help'])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f'usage: mmdrloc {command} ')


@pytest.mark.parametrize(
    'line, name, value',
    [
        ('publish a a.pth --timm resnet18 b', 'folder', 'b'),
        ('export a a.pth --size 32 32 a.onnx', 'checkpoint', 'a.pth'),
        ('export a --trust a.pth a.onnx', 'out', 'a.onnx'),
        ('predict a a.jpg --out p.csv b.jpg', 'images', ['a.jpg', 'b.jpg']),
        ('report a --out r.md b', 'runs', ['a', 'b']),
    ],
)
def test_words_behind_options(line, name, value):
    assert cli.parse(line.split())[1][name] == value


def test_a_checkpoint_behind_options(asked):
    found = asked('test', '--work-dir', 'a')
    assert found['checkpoint'] == __file__
    _, found = cli.parse(['test', 'a.py', '--work-dir', 'b', 'c.pth'])
    assert (found['checkpoint'], found['work_dir']) == ('c.pth', 'b')
    with pytest.raises(SystemExit):
        cli.parse(['test', 'a.py', 'b.pth', '--work-dir', 'c', 'd.pth'])


def test_an_empty_word(capsys):
    """As of a variable of the shell that is not set."""
    with pytest.raises(SystemExit) as end:
        cli.main(['train', RECIPE, ''])
    assert end.value.code == 2
    assert 'unrecognized' in capsys.readouterr().err


def test_a_misspelt_option_is_answered_with_the_nearest(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(['train', RECIPE, '--datset', 'a'])
    assert end.value.code == 2
    assert capsys.readouterr().err.endswith('did you mean --dataset?\n')


def test_a_name_of_a_model_zoo_may_have_a_dot(asked):
    name = 'regnetx-3.2gf_8xb64_in1k'
    assert asked('train', '--weights', name)['weights'] == name


@pytest.mark.parametrize(
    'line, answer',
    [
        ('train quickstart/swin-2stag', 'did you mean quickstart/swin-2stage'),
        (f'train {RECIPE} --dataset digts', 'did you mean digits?'),
        (f'train {RECIPE} --cfg-options a=[(1,2]', 'KEY="[a,b]"'),
        ('train run', 'not a config: give one, such as run/a.py'),
        ('trian', 'did you mean train?'),
        (f'train {RECIPE} --resume no/no.pth', 'there is no no/no.pth'),
        (
            f'compare {RECIPE} --seeds 0 --baseline quickstart/swin-2stag',
            'did you mean quickstart/swin-2stage',
        ),
        (f'test {RECIPE} no.pth', 'there is no no.pth'),
        ('predict no_run no.jpg', 'there is no no_run'),
        ('predict empty empt', 'did you mean empty?'),
        (f'export {RECIPE} a.onnx --size 0 5', '--size: give two numbers'),
    ],
)
def test_words_are_looked_at_before_torch_is_imported(tmp_path, line, answer):
    (tmp_path / 'empty').mkdir()
    (tmp_path / 'run').mkdir()
    (tmp_path / 'run/a.py').touch()
    code = (
        'import sys; from mmdrloc.apis.cli import main\n'
        'try:\n'
        f'    main({line.split()})\n'
        'finally:\n'
        '    assert "torch" not in sys.modules'
    )
    done = subprocess.run(
        [sys.executable, '-c', code],
        cwd=tmp_path,
        env=dict(os.environ, PYTHONPATH=str(Path(__file__).parents[2])),
        text=True,
        capture_output=True,
    )
    assert done.returncode in (1, 2) and 'Traceback' not in done.stderr
    assert answer in done.stderr
