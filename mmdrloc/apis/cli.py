"""The command line: ``mmdrloc COMMAND``, and ``python tools/COMMAND.py``.

A command calls a function of this folder: arguments are the function's, and
their help is its docstring, read from the source. So nothing that takes long
is imported for help, and misspelt words are answered at once.
"""

import argparse
import ast
import contextlib
import gc
import io
import os
import re
import shlex
import signal
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    NoReturn,
    Optional,
    Sequence,
    Tuple,
)

from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import (
    UsageError,
    nearest,
    refuse,
    usage_errors_in_one_sentence,
)
from mmdrloc.utils.paths import find_recipe, recipe_names
from mmdrloc.version import __version__

Told = Dict[str, Dict[str, Any]]
# For how long another rank leaves the word to the first one.
PATIENCE_S = 10.0


class Command(NamedTuple):
    """How words become a call.

    Args:
        module (str): The file of the function.
        tell (Callable): What is printed of its outcome.
        examples (str): Shown at the end of the help.
        told (dict): What argparse is told beside the signature, by the name
            of an argument; ``--`` before it makes it an option.
        function (str): Defaults to the command's name.
    """

    module: str
    tell: Callable[[Any], str] = str
    examples: str = ''
    told: Told = {}
    function: str = ''


def _pair(text: str) -> str:
    if '=' not in text.lstrip('='):
        raise argparse.ArgumentTypeError(
            f'{text} is not of the form KEY=VALUE (lists: KEY="[a,b]", '
            'without spaces)'
        )
    return text


def _written(paths: Any) -> str:
    found = paths if isinstance(paths, list) else [paths]
    return '\n'.join(f'written: {path}' for path in found)


ALWAYS: Told = {
    'options': dict(
        dest='options',
        nargs='+',
        action='extend',
        type=_pair,
        metavar='KEY=VALUE',
        help='settings of the config to change: '
        'optim_wrapper.optimizer.lr=0.001 key="[a,b]"',
    ),
    'dataset': dict(metavar='NAME|FILE|FOLDER'),
    'weights': dict(metavar='FILE|RUN|ADDRESS|NAME'),
    'launcher': dict(choices=['none', 'pytorch', 'slurm', 'mpi']),
}
COMMANDS = dict(
    train=Command(
        'training',
        lambda run: '',
        """
  mmdrloc train quickstart/swin-2stage_drloc
  mmdrloc train CONFIG --dataset ~/photos/pets --epochs 20 --check
  mmdrloc train CONFIG --weights work_dirs/RUN --seed 1
  bash tools/dist_train.sh CONFIG 2 --cfg-options auto_scale_lr.enable=True
""",
        {'--resume': dict(nargs='?', const='auto')},
    ),
    test=Command(
        'testing',
        lambda metrics: '',
        """
  mmdrloc test work_dirs/RUN
  mmdrloc test CONFIG CHECKPOINT --dataset svhn --show-dir pictures
  mmdrloc test CONFIG CHECKPOINT --out predictions.pkl --tta
""",
        {'checkpoint': dict(nargs='?')},
    ),
    predict=Command(
        'prediction',
        lambda found: '\n'.join(map(str, found)),
        """
  mmdrloc predict work_dirs/RUN photo.jpg
  mmdrloc predict work_dirs/RUN ~/photos/new --out new.html
""",
    ),
    compare=Command(
        'comparison',
        lambda it: f'\n{it}\n\nwritten: {it.folder / "report.md"}',
        """
  mmdrloc compare quickstart/swin-2stage_drloc --seeds 0 1 2 --epochs 2
  mmdrloc compare quickstart/upernet_swin-2stage --seeds 0 1 2 \\
      --weights work_dirs/swin-2stage_digits \\
      work_dirs/swin-2stage_drloc_digits
""",
        {'--seeds': dict(required=True)},
    ),
    show=Command(
        'showing',
        examples='\n  mmdrloc show scratch_100e/swin-tiny --dataset svhn\n',
        told={'--dataset': {}},
    ),
    recipes=Command(
        'showing',
        examples='\n  mmdrloc recipes swin drloc cifar-10\n',
        told={'words': dict(nargs='*')},
        function='list_recipes',
    ),
    report=Command(
        'reports',
        _written,
        '\n  mmdrloc report work_dirs/swin-2stage* --out report.html\n',
        {'--out': dict(required=True)},
    ),
    transfer=Command(
        'transferring',
        examples="""
  mmdrloc transfer work_dirs/swin/epoch_30.pth backbone.pth --config CONFIG
  mmdrloc transfer swin_tiny.pth classifier.pth --with-head
  mmdrloc transfer epoch_300.pth swin_timm.pth --to swin-timm
""",
    ),
    publish=Command(
        'publishing',
        _written,
        """
  mmdrloc publish quickstart/swin-2stage_drloc \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth published/digits
  hf upload NAME/digits published/digits
""",
    ),
    export=Command(
        'publishing',
        lambda found: f'greatest difference of the logits: {found:g}',
        """
  mmdrloc export quickstart/swin-2stage_drloc \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth digits.onnx
""",
        {'--size': dict(nargs=2)},
    ),
    doctor=Command('doctor', lambda nothing: ''),
)
LIGHT = ('report', 'recipes', 'doctor')


def read_function(name: str) -> Tuple[str, Told]:
    """Read what a command does and takes from the source of its function."""
    this = COMMANDS[name]
    file = Path(__file__).with_name(f'{this.module}.py')
    node = next(
        node
        for node in ast.parse(file.read_text(encoding='utf-8')).body
        if isinstance(node, ast.FunctionDef)
        and node.name == (this.function or name)
    )
    text = re.sub(r':\w+:`|`', '', ast.get_docstring(node) or '')
    helps = dict(
        re.findall(r'^ {4}(\w+) \(.*?\): (.*(?:\n {8}.*)*)', text, re.M)
    )
    spec = node.args
    required = len(spec.args) - len(spec.defaults)
    arguments = [
        *zip(spec.args, [*[None] * required, *spec.defaults]),
        *zip(spec.kwonlyargs, spec.kw_defaults),
    ]
    found: Told = {}
    for argument, default in arguments:
        own = {key.strip('-'): key for key in this.told}
        option = f'--{argument.arg.replace("_", "-")}'
        word = option if default else argument.arg
        word = own.get(option.strip('-'), word)
        kind = ast.unparse(argument.annotation)
        words = ' '.join(helps.get(argument.arg, '').split())
        words = re.sub(r' Defaults to (False|None|\(\))\.', '', words)
        words = words.removeprefix('Whether to ').rstrip('.')
        words = f'{words[:1].lower()}{words[1:]}'  # as argparse has it
        words = re.sub(r'\.? ?[Dd]efaults to (.*)$', r' (default: \1)', words)
        told: Dict[str, Any] = dict(help=words.replace('%', '%%'))
        if default:
            told['default'] = ast.literal_eval(default)
        if kind == 'bool':
            told['action'] = 'store_true'
        elif 'int' in kind:
            told['type'] = int
        if 'Sequence' in kind:
            told['nargs'] = '+'
        told.update(
            {**ALWAYS.get(argument.arg, {}), **this.told.get(word, {})}
        )
        found[word.replace('--options', '--cfg-options')] = told
    return text.partition('\n')[0].partition(';')[0].rstrip('.'), found


class _Parser(argparse.ArgumentParser):
    """Names the nearest option where one is misspelt."""

    def error(self, message: str) -> NoReturn:
        """Print usage and message, and exit; see the base class."""
        known = [n for action in self._actions for n in action.option_strings]
        words = message.removeprefix('unrecognized arguments: ').split()
        if words[0].startswith('-'):
            message += _near(words[0].partition('=')[0], known)
        super().error(message)


def main(argv: Optional[Sequence[str]] = None) -> None:
    """Run ``mmdrloc COMMAND ...``."""
    words = list(sys.argv[1:] if argv is None else argv)
    listed = ''
    if words[:1] in ([], ['-h'], ['--help']):
        listed = '\n'.join(
            f'  {name:<10}{read_function(name)[0]}' for name in COMMANDS
        )
    parser = command_parser(
        'Vision transformers that train well on small data.',
        f'commands:\n{listed}\n\nmmdrloc COMMAND --help says more.',
        'mmdrloc',
    )
    parser.add_argument('--version', action='version', version=__version__)
    parser.add_argument('command', metavar='COMMAND')
    name = parser.parse_args(words[:1]).command
    if name not in COMMANDS:
        parser.error(f'there is no command {name}{_near(name, COMMANDS)}')
    this = COMMANDS[name]
    does, arguments = read_function(name)
    examples = this.examples and f'examples:{this.examples}'
    parser = command_parser(f'{does}.', examples, f'mmdrloc {name}')
    for word, told in arguments.items():
        parser.add_argument(word, **told)
    if '--launcher' in arguments:
        # Launchers pass one or the other; torchrun sets the environment.
        parser.add_argument(
            '--local_rank', '--local-rank', help=argparse.SUPPRESS
        )
    given = vars(parser.parse_args(words[1:]))
    rank = given.pop('local_rank', None)
    if rank is not None:
        os.environ.setdefault('LOCAL_RANK', rank)
    with usage_errors_in_one_sentence():
        outcome = this.tell(_call(name, given))
        print(outcome, end='\n' if outcome else '')


def run(name: str) -> None:
    """Run one command with the words of the process."""
    main([name, *sys.argv[1:]])


def command_parser(
    description: str, examples: str, prog: Optional[str] = None
) -> argparse.ArgumentParser:
    """A parser whose help shows examples as they are written."""
    return _Parser(
        prog,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def read_options(pairs: Optional[Sequence[str]]) -> Dict[str, Any]:
    """Read ``KEY=VALUE`` pairs as MMEngine's tools do."""
    from mmengine.config import DictAction

    args = argparse.Namespace()
    read = DictAction([], 'options', nargs='+')
    try:
        read(argparse.ArgumentParser(), args, pairs or [])
    except (ValueError, AssertionError, RecursionError) as error:
        raise UsageError(
            f'--cfg-options {" ".join(pairs or [])} cannot be read (lists: '
            'KEY="[a,b]", without spaces)'
        ) from error
    return dict(args.options)


def command_of(recipe: Any, arguments: Mapping[str, Any]) -> str:
    """The command that does what a call of ``train`` does; see below."""
    return shlex.join(['tools/train.py', *words_of(recipe, arguments)])


def words_of(recipe: Any, arguments: Mapping[str, Any]) -> List[str]:
    """The words of the command that does what a call of ``train`` does."""
    words = [str(recipe)]
    for name, value in sorted(arguments.items()):
        # 0 is a seed.
        if name == 'options' or value in (None, 'none') or value is False:
            continue
        words.append(f'--{name.replace("_", "-")}')
        words += [] if value is True else [str(value)]
    pairs = [f'{k}={v}' for k, v in _flat(arguments.get('options') or {})]
    return [*words, *(['--cfg-options', *pairs] if pairs else [])]


def refuse_words(arguments: Mapping[str, Any]) -> None:
    """Say what is wrong with the words, before libraries are imported."""
    from mmdrloc.datasets.catalog import CATALOG

    faults = []
    # Of a report, `baseline` is a name in its records.
    baseline = ('baseline',) if 'recipes' in arguments else ()
    for name in ('recipe', 'config', 'recipes', *baseline):
        given = arguments.get(name) or ()
        for recipe in [given] if isinstance(given, str) else given:
            if not find_recipe(recipe).exists():
                near = _near(recipe, recipe_names())
                faults.append(
                    f'there is no config {recipe}{near or "."} `mmdrloc '
                    'recipes` lists those of this project.'
                )
    dataset = arguments.get('dataset')
    if (
        dataset
        and dataset not in CATALOG
        and not Path(dataset).expanduser().exists()
    ):
        near = _near(dataset, CATALOG)
        faults.append(
            f'--dataset {dataset} is no file, no folder and no dataset of '
            f'this project{near or "."}'
        )
    files = {'image': arguments.get('images', ())}
    files['run'] = [arguments.get('model')]
    # A name without a suffix may be one of a model zoo.
    given = str(arguments.get('checkpoint') or '')
    files['checkpoint'] = [given] if re.search(r'\.\w+$', given) else []
    faults += [
        f'there is no {kind} {file}.'
        for kind, paths in files.items()
        for file in paths
        if file and '://' not in file and not find_recipe(file).exists()
    ]
    refuse(faults)


def _call(name: str, arguments: Mapping[str, Any]) -> Any:
    """Call a function of :mod:`mmdrloc.apis`."""
    arguments = dict(arguments)
    refuse_words(arguments)
    if name not in LIGHT and process_rank() == 0:
        print(f'mmdrloc {name}: importing the libraries', flush=True)
    function = _imported(name)
    if 'options' in arguments:
        arguments['options'] = read_options(arguments['options'])
    try:
        return function(**arguments)
    except UsageError:
        # Most errors are found by all ranks at once. The first one speaks,
        # and its launcher then ends the others.
        if process_rank() > 0:
            time.sleep(PATIENCE_S)
        raise
    finally:
        torch = sys.modules.get('torch')
        if torch is not None and torch.distributed.is_initialized():
            torch.distributed.destroy_process_group()


def _imported(name: str) -> Callable[..., Any]:
    """Import a function; Ctrl-C just ends the program meanwhile."""
    this = COMMANDS[name]
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Imports leave no garbage; to look for it takes a fifth of their time.
    is_new = 'torch' not in sys.modules
    if is_new:
        gc.disable()
    try:
        # mmpretrain prints which optional libraries are missing.
        with contextlib.redirect_stdout(io.StringIO()):
            module = import_module(f'mmdrloc.apis.{this.module}')
            if this.module in ('training', 'testing', 'prediction'):
                import_module('mmpretrain.datasets')
            function: Callable[..., Any]
            function = getattr(module, this.function or name)
        return function
    # mmdet and mmseg refuse a version of mmcv by an assertion; libraries that
    # do not fit each other lack attributes or operators.
    except (
        AssertionError,
        AttributeError,
        ImportError,
        RuntimeError,
    ) as error:
        raise UsageError(
            f'{type(error).__name__}: {error}. `mmdrloc doctor` says what is '
            'wrong with this installation.'
        ) from error
    finally:
        if is_new:
            gc.freeze()  # nor is there any in what they left
            gc.enable()
        signal.signal(signal.SIGINT, before)


def _flat(options: Mapping[str, Any], place: str = '') -> Iterator[Any]:
    for key, value in options.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f'{place}{key}.')
        else:
            yield f'{place}{key}', value


def _near(word: str, known: Any) -> str:
    """End a sentence with the nearest of some words, if one is near."""
    near = nearest(word, known, 0.6)
    return f'; did you mean {near}?' if near else ''
