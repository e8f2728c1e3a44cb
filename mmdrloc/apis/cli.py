"""The command line: ``mmdrloc COMMAND``, and ``python tools/COMMAND.py``.

A command calls the function of its name in :mod:`mmdrloc.apis`, which is
imported after the words are read: help and errors in words need no library.
"""

import argparse
import ast
import gc
import io
import os
import shlex
import sys
import time
from contextlib import contextmanager, redirect_stdout
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
    Union,
)

from mmdrloc import apis
from mmdrloc.utils.distributed import process_count, process_rank
from mmdrloc.utils.errors import (
    UsageError,
    did_you_mean,
    refuse,
    usage_errors_in_one_sentence,
)
from mmdrloc.utils.paths import find_recipe, recipe_file
from mmdrloc.version import __version__

Arguments = Dict[str, Union[str, Dict[str, Any]]]
# For how long another rank waits with its error for that of the first one.
PATIENCE_S = 10.0


class Command(NamedTuple):
    """A function as a command.

    ``tell`` makes the text to print of what it returns, ``own`` replaces
    some of :data:`ARGUMENTS`.
    """

    does: str
    arguments: str
    example: str
    tell: Callable[[Any], str] = str
    own: Arguments = {}
    function: str = ''


def _pair(text: str) -> str:
    if '=' not in text.lstrip('='):
        raise argparse.ArgumentTypeError(f'{text} is not KEY=VALUE')
    return text


def _flag(text: str) -> Dict[str, Any]:
    return dict(action='store_true', help=text)


def _written(paths: Any) -> str:
    found = paths if isinstance(paths, list) else [paths]
    return '\n'.join(f'written: {path}' for path in found)


# Of all commands: the help, or all that argparse takes.
ARGUMENTS: Arguments = {
    'recipe': 'a config, or the name of a recipe',
    'recipes': dict(nargs='+', help='configs, or names of recipes'),
    'checkpoint': dict(nargs='?', help='(default: that of the model)'),
    'model': 'a run, a published folder, or a config',
    'images': dict(nargs='+', help='images, or folders of them'),
    'runs': dict(nargs='+', help='folders of runs, or .json files of several'),
    'words': dict(nargs='*', help='parts of a name, a task or a dataset'),
    'folder': 'the folder to make',
    'out': 'the file to write',
    '--dataset': dict(
        metavar='NAME|FILE|FOLDER',
        help="a dataset's name, a file that describes one, or a folder of "
        "images (default: the recipe's)",
    ),
    '--weights': dict(
        metavar='FILE|RUN|ADDRESS|NAME',
        help='what it starts from: a checkpoint of any known origin, its '
        'address, the folder of a run, photos-64px, photos-32px, or a name '
        "of mmpretrain's model zoo",
    ),
    '--work-dir': 'where results go (default: work_dirs/RECIPE_DATASET)',
    '--cfg-options': dict(
        dest='options',
        nargs='+',
        action='extend',
        type=_pair,
        metavar='KEY=VALUE',
        help='settings of the config to change: '
        'optim_wrapper.optimizer.lr=0.001 key="[a,b]"',
    ),
    '--epochs': dict(
        type=int, help='length; warm-up and schedule are scaled with it'
    ),
    '--iters': dict(type=int, help='the same in iterations'),
    '--seed': dict(type=int, help="seed of the run (default: the config's)"),
    '--seeds': dict(nargs='+', type=int, required=True),
    '--jobs': dict(
        type=int,
        default=1,
        help='runs at a time; several GPUs are shared out (default: 1)',
    ),
    '--amp': _flag('train in mixed precision'),
    '--resume': dict(
        nargs='?',
        const='auto',
        help='a checkpoint of your choice to go on from, or the folder of a '
        'run for its last one; an interrupted run goes on without it too',
    ),
    '--overwrite': _flag('replace the run that the folder holds'),
    '--check': _flag('do all checks, then stop; nothing is written'),
    '--baseline': 'what to compare with (default: the recipe without DRLoc)',
    '--checkpoint': '(default: that of the model)',
    '--device': 'such as cuda:1 (default: the GPU, if there is one)',
    '--show-dir': 'where to save drawn predictions',
    '--tta': _flag("use the config's test-time augmentation"),
    '--title': dict(default='Results', help='its heading'),
    '--pictures': dict(nargs='+', default=(), help='PNG files to show in it'),
    '--config': 'a config or recipe whose backbone is to fit',
    '--with-head': _flag('keep the heads: a whole classifier'),
    '--to': 'the origin in whose format to write a classifier',
    '--timm': 'the name that timm has for the network',
    '--size': dict(nargs=2, type=int, help='height and width of the images'),
    '--partial': _flag('start from weights even if only some of them fit'),
    '--trust': _flag('let files run the code that they contain'),
    '--launcher': dict(
        choices=['none', 'pytorch', 'slurm', 'mpi'],
        default='none',
        help='how several processes are started (default: none)',
    ),
}
SETTINGS = '--dataset --weights --work-dir --cfg-options --epochs --iters'
COMMANDS = dict(
    train=Command(
        'Train a recipe.',
        f'recipe {SETTINGS} --seed --amp --resume --overwrite --check '
        '--partial --trust --launcher',
        'train CONFIG --dataset ~/photos/pets --epochs 20 --check',
        lambda _: '',
    ),
    test=Command(
        'Evaluate a checkpoint.',
        'model checkpoint --dataset --work-dir --cfg-options --out '
        '--show-dir --tta --trust --launcher',
        'test work_dirs/RUN --dataset svhn --show-dir pictures',
        lambda _: '',
        {
            'model': 'a run, or the config of a checkpoint',
            '--out': 'a .pkl file of predictions, or a folder of label maps',
            '--work-dir': "where the log goes (default: the run's folder)",
        },
    ),
    predict=Command(
        'Predict images with a trained model.',
        'model images --checkpoint --device --out --show-dir --trust',
        'predict work_dirs/RUN ~/photos/new --out new.html',
        lambda found: '\n'.join(map(str, found)),
        {'--out': 'an .html page, or a .csv table of what is seen'},
    ),
    compare=Command(
        'Train recipes and their baseline over several seeds, and compare.',
        f'recipes --seeds --baseline {SETTINGS} --amp --jobs --partial '
        '--trust',
        'compare quickstart/swin-2stage_drloc --seeds 0 1 2 --epochs 2',
        lambda it: f'\n{it}\n\nwritten: {it.folder / "report.md"}',
        {
            '--weights': dict(
                nargs='+',
                help='what all runs start from; of several, or `none`, each '
                'is compared with the first',
            ),
            '--work-dir': 'where runs and report go '
            '(default: work_dirs/RECIPE_DATASET_paired)',
        },
    ),
    show=Command(
        "Print a recipe's settings, with published and measured values.",
        'recipe --dataset',
        'show scratch_100e/swin-tiny --dataset svhn',
    ),
    recipes=Command(
        'List the recipes, or those that match all of some words.',
        'words',
        'recipes swin drloc cifar-10',
        function='list_recipes',
    ),
    report=Command(
        'Write tables, curves and pictures, with the published values.',
        'runs --out --title --pictures --baseline',
        'report work_dirs/swin-2stage* --out report.html',
        _written,
        {
            '--out': dict(
                required=True,
                help='an .html or .md file, a .png file of the gain, or a '
                '.json file that keeps the runs',
            )
        },
    ),
    transfer=Command(
        'Convert a backbone from one format to another.',
        'checkpoint out --config --with-head --to --trust',
        'transfer work_dirs/RUN/epoch_9.pth backbone.pth --config CONFIG',
        own={
            'checkpoint': 'a checkpoint of any known origin, its address, or '
            'a run'
        },
    ),
    publish=Command(
        'Write a folder for use without mmdrloc.',
        'model checkpoint folder --timm --trust',
        'publish work_dirs/RUN published/digits',
        _written,
    ),
    export=Command(
        'Export a classifier to ONNX.',
        'model checkpoint out --size --trust',
        'export work_dirs/RUN digits.onnx',
        lambda found: f'greatest difference of the logits: {found:g}',
    ),
    doctor=Command('Check this installation.', '', 'doctor', lambda _: ''),
)
LIGHT = ('report', 'recipes', 'doctor', 'show')


class Parser(argparse.ArgumentParser):
    """Shows examples as they are written; corrects a misspelt option."""

    def __init__(self, **options: Any) -> None:
        style = argparse.RawDescriptionHelpFormatter
        super().__init__(formatter_class=style, **options)

    def error(self, message: str) -> NoReturn:
        """Print usage and message, and exit; see the base class."""
        known = [n for action in self._actions for n in action.option_strings]
        word = message.removeprefix('unrecognized arguments: ').split(' ')[0]
        if word.startswith('-'):
            message += did_you_mean(word.partition('=')[0], known)
        elif message.startswith('argument COMMAND'):
            message += did_you_mean(message.split("'")[1], COMMANDS)
        super().error(message)


def main(argv: Optional[Sequence[str]] = None) -> None:
    """Run ``mmdrloc COMMAND ...``."""
    words = sys.argv[1:] if argv is None else argv
    name, arguments = parse(words)
    if name == 'train':
        arguments['command'] = shlex.join(['mmdrloc', *words])
    with usage_errors_in_one_sentence():
        refuse_words(arguments)
        if isinstance(sys.stdout, io.TextIOWrapper):  # for odd file names
            sys.stdout.reconfigure(errors='backslashreplace')
        outcome = COMMANDS[name].tell(_call(name, arguments))
        print(outcome, end='\n' if outcome else '')


def parse(words: Sequence[str]) -> Tuple[str, Dict[str, Any]]:
    """Read what follows ``mmdrloc``: the command, its function's arguments.

    Among these, ``options`` are pairs as they are written.
    """
    parser = Parser(
        prog='mmdrloc',
        description='DRLoc for OpenMMLab: train, compare, transfer.',
        epilog='mmdrloc COMMAND --help says more.',
    )
    parser.add_argument('--version', action='version', version=__version__)
    commands = parser.add_subparsers(
        dest='command', metavar='COMMAND', required=True
    )
    for name, command in COMMANDS.items():
        one = commands.add_parser(
            name,
            help=command.does.rstrip('.'),
            description=command.does,
            epilog=f'example:\n  mmdrloc {command.example}',
        )
        asked = command.arguments.split()
        for word in asked:
            how = {**ARGUMENTS, **command.own}[word]
            how = dict(help=how) if isinstance(how, str) else how
            one.add_argument(word, **how)
        if '--launcher' in asked:
            # torch.distributed.launch passes one or the other, beside the
            # variable LOCAL_RANK, which is read.
            one.add_argument(
                '--local_rank', '--local-rank', help=argparse.SUPPRESS
            )
    if not words or words[0] not in COMMANDS:
        parser.parse_args(words)  # Shows help or an error.
        parser.error('the following arguments are required: COMMAND')
    one = commands.choices[words[0]]
    # Words may stand before and behind options.
    arguments = vars(one.parse_intermixed_args(words[1:]))
    arguments.pop('local_rank', None)
    return words[0], arguments


def run(name: str) -> None:
    """Run one command with the words of the process."""
    main([name, *sys.argv[1:]])


def read_options(pairs: Sequence[str]) -> Dict[str, Any]:
    """Read ``KEY=VALUE`` pairs: Python's values, or what MMEngine reads.

    Python's are lists, tuples, strings in quotes and dicts, which may be
    written ``dict(type='A')``; MMEngine's tools also take ``[a,b]``.
    """
    options = {}
    for pair in pairs:
        key, _, text = pair.partition('=')
        try:
            options[key] = _read_value(text.strip())
        except Exception:  # both readers fail in many ways
            raise UsageError(
                f'--cfg-options {pair} cannot be read (lists: KEY="[a,b]", '
                'without spaces; words in dicts stand in quotes: '
                """KEY="[dict(type='A')]")"""
            ) from None
    return options


def _read_value(text: str) -> Any:
    from mmengine.config import DictAction

    if text.startswith(('[', '(', '{', '"', "'", 'dict(')):
        try:
            tree = _DictCalls().visit(ast.parse(text, mode='eval'))
            return ast.literal_eval(tree)
        except (ValueError, SyntaxError):
            if 'dict(' in text or '{' in text:
                raise
    if ' ' in text and ',' not in text:  # MMEngine leaves spaces out
        return text
    args = argparse.Namespace()
    read = DictAction([], 'options', nargs='+')
    read(argparse.ArgumentParser(), args, [f'value={text}'])
    return args.options['value']


class _DictCalls(ast.NodeTransformer):
    """Makes ``dict(a=1)`` a literal."""

    def visit_Call(self, node: ast.Call) -> ast.AST:  # noqa: N802
        self.generic_visit(node)
        names = [keyword.arg for keyword in node.keywords]
        is_dict = getattr(node.func, 'id', '') == 'dict'
        if not is_dict or node.args or None in names:
            return node
        keys: list = [ast.Constant(name) for name in names]
        return ast.Dict(keys, [keyword.value for keyword in node.keywords])


def refuse_words(arguments: Mapping[str, Any]) -> None:
    """Refuse what files and names show to be wrong, before slow imports."""
    from mmdrloc.datasets.catalog import CATALOG

    faults = []
    is_torchrun = 'TORCHELASTIC_RUN_ID' in os.environ
    is_alone = arguments.get('launcher') == 'none'
    if is_torchrun and is_alone and process_count('pytorch') > 1:
        faults.append('processes of torchrun need --launcher pytorch.')
    of_recipes = ['recipe', 'config', 'recipes']
    if 'recipes' in arguments:  # that of a report is a name in its tables
        of_recipes.append('baseline')
    for recipe in _words(arguments, *of_recipes):
        try:
            recipe_file(recipe)
        except UsageError as error:
            faults.append(str(error))
    for dataset in _words(arguments, 'dataset'):
        if dataset not in CATALOG and not Path(dataset).expanduser().exists():
            near = did_you_mean(dataset, [*CATALOG, *_beside(dataset)])
            faults.append(
                f'--dataset {dataset} is no file, no folder and no dataset '
                f'of this project{near}'
            )
    files = ('model', 'images', 'checkpoint', 'weights', 'resume')
    for file in _words(arguments, *files):
        # Others may be names of a model zoo, like regnetx-3.2gf_8xb64_in1k.
        is_path = '/' in file or Path(file).suffix[1:].isalpha()
        is_path |= file in _words(arguments, 'model', 'images')
        if is_path and '://' not in file and not find_recipe(file).exists():
            faults.append(
                f'there is no {file}{did_you_mean(file, _beside(file))}'
            )
    if min(arguments.get('size') or (1,)) < 1:
        faults.append('--size: give two numbers of 1 or more.')
    refuse(faults)


def _beside(file: str) -> List[str]:
    """The files and folders that a misspelt one may be."""
    return [*map(str, Path(file).expanduser().parent.glob('*'))]


def _words(arguments: Mapping[str, Any], *names: str) -> Iterator[str]:
    for name in names:
        given = arguments.get(name) or ()
        yield from [given] if isinstance(given, str) else given


def _call(name: str, arguments: Dict[str, Any]) -> Any:
    """Call a function of :mod:`mmdrloc.apis`."""
    rank = process_rank(arguments.get('launcher', 'none'))
    try:
        if arguments.get('options'):
            arguments['options'] = read_options(arguments['options'])
        if name not in LIGHT and rank == 0:
            print(f'mmdrloc {name}: importing the libraries', flush=True)
        with _imports():
            function = getattr(apis, COMMANDS[name].function or name)
            if name in ('train', 'test', 'predict', 'export'):
                import_module('mmpretrain.datasets')
        outcome = function(**arguments)
    except Exception:
        # Most errors are found by all ranks at once. The first one prints
        # its own, and its launcher then ends the others. The group is left
        # to the end of the process, as leaving it may wait for others.
        if rank > 0:
            time.sleep(PATIENCE_S)
        raise
    torch = sys.modules.get('torch')
    if torch is not None and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
    return outcome


@contextmanager
def _imports() -> Iterator[None]:
    """Import fast and in silence; explain libraries that do not fit."""
    # Imports leave no garbage, and collecting takes a fifth of their time.
    gc.disable()
    try:
        # mmpretrain prints which optional libraries are missing.
        with redirect_stdout(io.StringIO()):
            yield
    except Exception as error:  # libraries that do not fit raise anything
        raise UsageError(
            f'{type(error).__name__}: {error}. `mmdrloc doctor` says what is '
            'wrong with this installation.'
        ) from error
    finally:
        gc.freeze()  # later collections skip what was imported
        gc.enable()
