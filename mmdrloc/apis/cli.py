"""The command line: ``mmdrloc COMMAND``, and ``python tools/COMMAND.py``.

A command reads its words and calls the function of :mod:`mmdrloc.apis` that
has its name. Nothing that takes long is imported here: help comes at once, and
so does what is wrong with the words.
"""

import argparse
import contextlib
import difflib
import io
import os
import shlex
import signal
import sys
import time
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
)

from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.paths import find_recipe, recipe_names
from mmdrloc.utils.signals import watched
from mmdrloc.version import __version__

# For how long another rank leaves the word to the first one.
PATIENCE_S = 10.0


def _flag(text: str) -> Dict[str, Any]:
    return dict(action='store_true', help=text)


def _value(metavar: Optional[str], text: str, **more: Any) -> Dict[str, Any]:
    return dict(metavar=metavar, help=text, **more)


def _pair(text: str) -> str:
    if '=' not in text.lstrip('='):
        raise argparse.ArgumentTypeError(
            f'{text} is not of the form KEY=VALUE (lists: KEY="[a,b]", '
            'without spaces)'
        )
    return text


# Each option once, with what argparse is told of it.
OPTIONS: Dict[str, Dict[str, Any]] = {
    'recipe': _value(None, 'a config, or the name of a recipe'),
    'config': _value(None, 'config of the training'),
    'checkpoint': _value(None, 'a checkpoint'),
    '--dataset': _value(
        'NAME|FILE|FOLDER',
        "a data set's name, a config that describes one, or a folder of "
        "images (default: the config's own)",
    ),
    '--weights': _value(
        'FILE|RUN|ADDRESS',
        'start from these weights: a checkpoint of any known origin, its '
        'address, or the work_dir of a training; converted and audited',
    ),
    '--work-dir': _value(
        'DIR',
        "where logs and results go (default: the config's work_dir, or "
        'work_dirs/<recipe>_<data set>)',
    ),
    '--cfg-options': _value(
        'KEY=VALUE',
        'change settings of the config: '
        'optim_wrapper.optimizer.lr=0.001 key="[a,b]"',
        dest='options',
        nargs='+',
        action='extend',
        type=_pair,
    ),
    '--seed': _value('N', 'seed of the run', type=int),
    '--amp': _flag('train in mixed precision (on CPUs: bfloat16)'),
    '--resume': _value(
        'PATH',
        'continue from this checkpoint, or from the last one in the '
        'work_dir; without it, the same command continues its own run',
        nargs='?',
        const='auto',
    ),
    '--overwrite': _flag(
        'start anew where an earlier run lies, which is removed once all '
        'checks have passed'
    ),
    '--check': _flag(
        'do all that comes before the first iteration, and write nothing'
    ),
    '--partial': _flag(
        'start from a checkpoint of which only a part fits; the rest is listed'
    ),
    '--trust': _flag(
        'read checkpoints and annotations even if they hold more than '
        'tensors and plain values; this runs any code that they contain'
    ),
    '--launcher': _value(
        None,
        'how the processes of a distributed run are started (default: none; '
        'dist_train.sh and dist_test.sh use pytorch)',
        choices=['none', 'pytorch', 'slurm', 'mpi'],
        default='none',
    ),
}
TRAINING = '--dataset --cfg-options --amp --partial --trust'


class Command(NamedTuple):
    """A command line.

    Args:
        does (str): What it does.
        call (Callable): Gets its arguments.
        options (str): Names of ``OPTIONS``.
        own (dict): Options of its own, by name.
        examples (str): Shown at the end of its help.
    """

    does: str
    call: Callable[..., None]
    options: str = ''
    own: Dict[str, Dict[str, Any]] = {}
    examples: str = ''


def _train(**arguments: Any) -> None:
    _call('train', arguments)


def _test(**arguments: Any) -> None:
    _call('test', arguments)


def _compare(**arguments: Any) -> None:
    comparison = _call('compare', arguments)
    print(f'\n{comparison}\n\nwritten: {comparison.folder / "report.md"}')


def _transfer(**arguments: Any) -> None:
    print(_call('transfer', arguments))


def _report(**arguments: Any) -> None:
    print(f'written: {_call("report", arguments)}')


def _publish(**arguments: Any) -> None:
    for path in _call('publish', arguments):
        print(f'written: {path}')


def _export(**arguments: Any) -> None:
    difference = _call('export', arguments)
    print(f'greatest difference of the logits: {difference:g}')
    print(f'written: {arguments["out"]}')


def _recipes(words: Sequence[str]) -> None:
    found = _imported('recipes')(*words)
    for recipe in found:
        print(f'{recipe.name}  {recipe.task}'.rstrip())
        if words and recipe.published:
            print(f'  published: {"; ".join(recipe.published)}')
        if words and recipe.measured:
            print(f'  measured: {recipe.measured}')
    if not found:
        raise UsageError(f'no recipe has all of: {", ".join(words)}.')


def _doctor() -> None:
    from mmdrloc.utils.doctor import main as examine

    examine([])


COMMANDS = dict(
    train=Command(
        'train a recipe',
        _train,
        f'recipe {TRAINING} --weights --work-dir --seed --resume --overwrite '
        '--check --launcher',
        examples="""
  python tools/train.py configs/quickstart/swin-2stage_drloc.py
  python tools/train.py CONFIG --dataset svhn --seed 1
  python tools/train.py CONFIG --dataset ~/photos/pets --check
  python tools/train.py CONFIG --weights work_dirs/RUN
  bash tools/dist_train.sh CONFIG 2 --cfg-options auto_scale_lr.enable=True
""",
    ),
    test=Command(
        'evaluate a checkpoint',
        _test,
        '--dataset --work-dir --cfg-options --partial --trust --launcher',
        {
            'recipe': _value('config', 'a config, or the work_dir of a run'),
            'checkpoint': _value(
                None,
                'the checkpoint to evaluate (default: the last of the run)',
                nargs='?',
            ),
            '--out': _value(
                'PATH',
                'save the predictions: a .pkl file, or for segmentation a '
                'folder of label maps',
            ),
            '--show-dir': _value('DIR', 'save the drawn predictions here'),
            '--tta': _flag("use the config's test-time augmentation"),
        },
        """
  python tools/test.py work_dirs/RUN
  python tools/test.py CONFIG CHECKPOINT --dataset svhn --show-dir pictures
  python tools/test.py CONFIG CHECKPOINT --out predictions.pkl --tta
  bash tools/dist_test.sh CONFIG CHECKPOINT 2
""",
    ),
    compare=Command(
        'train DRLoc recipes and their baseline over several seeds; the '
        'differences, paired by seed, with 95 % confidence intervals',
        _compare,
        f'{TRAINING} --work-dir',
        {
            'twins': _value('recipe', 'recipes to be compared', nargs='+'),
            '--seeds': _value(
                'N', 'a run each', type=int, nargs='+', required=True
            ),
            '--baseline': _value(
                'RECIPE',
                'what to compare with (default: the recipe that a DRLoc '
                'recipe inherits from)',
            ),
            '--weights': _value(
                'FILE|RUN',
                'what all runs start from; of several (or "none") each is '
                'compared with the first',
                nargs='+',
            ),
            '--jobs': _value('N', 'runs at a time', type=int, default=1),
        },
        """
  python tools/paired.py configs/quickstart/swin-2stage_drloc.py \\
      --seeds 0 1 2 --jobs 2
  python tools/paired.py configs/quickstart/upernet_swin-2stage.py \\
      --weights work_dirs/swin-2stage_digits \\
      work_dirs/swin-2stage_drloc_digits --seeds 0 1 2
""",
    ),
    transfer=Command(
        'carry a backbone from one format into another',
        _transfer,
        'checkpoint --trust',
        {
            'out': _value(None, 'file to write, .pth or .safetensors'),
            '--origin': _value(
                'NAME', 'format of the checkpoint (told by its tensors)'
            ),
            '--config': _value(
                'CONFIG',
                'check that the backbone fits the one in this config, and '
                'resize position embeddings to it',
            ),
            '--with-head': _flag('keep the heads too: a whole classifier'),
            '--to': _value(
                'NAME', 'write the classifier in the format of this origin'
            ),
            '--proof': _value(
                'CONFIG',
                "compare the feature maps of --config's backbone and of this "
                "classifier's, at three image sizes",
            ),
            '--audit-json': _value(
                'PATH', 'write the names of kept and dropped tensors here'
            ),
        },
        """
  # the backbone of a trained classifier, checked against the detector
  python tools/transfer.py work_dirs/swin/epoch_30.pth backbone.pth \\
      --config CONFIG
  # a published checkpoint into a classifier for tools/test.py, and back
  python tools/transfer.py swin_tiny.pth classifier.pth --with-head
  python tools/transfer.py epoch_300.pth swin_timm.pth --to swin-timm
""",
    ),
    report=Command(
        'tables, curves and pictures of runs',
        _report,
        own={
            'runs': _value(
                None, 'work_dirs, or a .json file of several', nargs='+'
            ),
            '--out': _value(
                'FILE',
                'file to write: .html (one file, opens offline), .md (curves '
                'beside it), .png (gain over updates), .json (the runs)',
                required=True,
            ),
            '--title': _value(None, 'its heading', default='Results'),
            '--pictures': _value(
                'PNG', 'pictures to be shown in it', nargs='*', default=[]
            ),
            '--baseline': _value(
                'CONFIG', 'compare the others with it, paired by seed'
            ),
        },
        examples="""
  python tools/report.py work_dirs/swin-2stage* --out work_dirs/report.html
""",
    ),
    publish=Command(
        'a trained model as a folder for others, in the shape of the Hub',
        _publish,
        'config checkpoint --trust',
        {
            'folder': _value(None, 'folder to be made'),
            '--runs': _value(
                'RUN',
                'work_dirs of the same training with other seeds',
                nargs='+',
                default=[],
            ),
            '--license': _value('ID', 'such as apache-2.0'),
            '--timm': _value(
                'NAME', "timm's name of the network: adds a copy for timm"
            ),
        },
        """
  python tools/publish.py configs/quickstart/swin-2stage_drloc.py \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth published/digits
  hf upload NAME/digits published/digits
""",
    ),
    export=Command(
        'a classifier or segmentor as an ONNX file; docs/deploy.md',
        _export,
        'config checkpoint --trust',
        {
            'out': _value(None, 'ONNX file to be written'),
            '--size': _value(
                ('HEIGHT', 'WIDTH'),
                'of the images (default: as the test has them); a segmentor '
                'needs it',
                type=int,
                nargs=2,
            ),
            '--batch-size': _value(
                'N', 'images an input', type=int, default=1
            ),
        },
        """
  python tools/export_onnx.py configs/quickstart/swin-2stage_drloc.py \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth digits.onnx
""",
    ),
    recipes=Command(
        'list the recipes, or those that match all of some words',
        _recipes,
        own={'words': _value('word', 'part of a name, task, data', nargs='*')},
        examples='\n  mmdrloc recipes swin drloc cifar-10\n',
    ),
    doctor=Command('what is wrong with this installation', _doctor),
)


def main(argv: Optional[Sequence[str]] = None) -> None:
    """Run ``mmdrloc COMMAND ...``.

    Args:
        argv (Sequence[str], optional): The words after ``mmdrloc``. Defaults
            to those of the process.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    listed = '\n'.join(
        f'  {name:<10}{command.does.partition("; ")[0]}'
        for name, command in COMMANDS.items()
    )
    parser = command_parser(
        'Vision transformers that train well on small data.',
        f'commands:\n{listed}\n\nmmdrloc COMMAND --help says more.',
        'mmdrloc',
    )
    parser.add_argument('--version', action='version', version=__version__)
    parser.add_argument('command', metavar='COMMAND')
    command = parser.parse_args(words[:1]).command
    if command not in COMMANDS:
        parser.error(
            f'there is no command {command}{_near(command, COMMANDS)}'
        )
    run(command, words[1:], f'mmdrloc {command}')


def run(
    command: str,
    argv: Optional[Sequence[str]] = None,
    prog: Optional[str] = None,
) -> None:
    """Run one command.

    Args:
        command (str): Of ``COMMANDS``.
        argv (Sequence[str], optional): Its words. Defaults to those of the
            process.
        prog (str, optional): What it is called. Defaults to the script.
    """
    this = COMMANDS[command]
    parser = command_parser(
        f'{this.does[0].upper()}{this.does[1:]}.',
        this.examples and f'examples:{this.examples}',
        prog,
    )
    # What has to be there comes first, as in the function.
    own = {name: this.own[name] for name in this.own if name[0] != '-'}
    shared = {name: OPTIONS[name] for name in this.options.split()}
    for name, told in {**shared, **own, **this.own}.items():
        parser.add_argument(name, **told)
    if '--launcher' in shared:
        # Launchers pass one or the other; torchrun sets the environment.
        parser.add_argument(
            '--local_rank',
            '--local-rank',
            type=int,
            help=argparse.SUPPRESS,
        )
    arguments = vars(parser.parse_args(argv))
    rank = arguments.pop('local_rank', None)
    if rank is not None:
        os.environ.setdefault('LOCAL_RANK', str(rank))
    with errors_told():
        this.call(**arguments)


class _Parser(argparse.ArgumentParser):
    """Names the nearest option where one is misspelt."""

    def error(self, message: str) -> NoReturn:
        """Print usage and message, and exit; see the base class."""
        known = [n for action in self._actions for n in action.option_strings]
        words = message.removeprefix('unrecognized arguments: ').split()
        if words[0].startswith('-'):
            message += _near(words[0].partition('=')[0], known)
        super().error(message)


def command_parser(
    description: str, examples: str, prog: Optional[str] = None
) -> argparse.ArgumentParser:
    """A parser whose help shows examples as they are written.

    Args:
        description (str): What the command does.
        examples (str): Shown at the end.
        prog (str, optional): What the command is called. Defaults to the
            name of the script.

    Returns:
        argparse.ArgumentParser: Without arguments as yet.
    """
    return _Parser(
        prog,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add some of the options that commands share.

    Args:
        parser (argparse.ArgumentParser): Of a command.
        names (str): Of ``OPTIONS``.
    """
    for name in names:
        parser.add_argument(name, **OPTIONS[name])


def read_options(pairs: Optional[Sequence[str]]) -> Dict[str, Any]:
    """Read ``KEY=VALUE`` pairs as MMEngine's tools do.

    Args:
        pairs (Sequence[str], optional): The words after ``--cfg-options``.

    Returns:
        dict: Keys to values.

    Raises:
        UsageError: If a value is not of the form of a value.
    """
    from mmengine.config import DictAction

    args = argparse.Namespace()
    read = DictAction([], 'options', nargs='+')
    try:
        read(argparse.ArgumentParser(), args, pairs or [])
    except (ValueError, AssertionError) as error:
        raise UsageError(
            f'--cfg-options {" ".join(pairs or [])} cannot be read (lists: '
            'KEY="[a,b]", without spaces)'
        ) from error
    return dict(args.options)


def command_of(recipe: Any, arguments: Mapping[str, Any]) -> str:
    """The command that does what a call of ``train`` does; see below."""
    return shlex.join(['tools/train.py', *words_of(recipe, arguments)])


def words_of(recipe: Any, arguments: Mapping[str, Any]) -> List[str]:
    """The words of the command that does what a call of ``train`` does.

    Args:
        recipe (Any): What is trained.
        arguments (Mapping): The other arguments; those that are as by
            default say nothing.

    Returns:
        list[str]: What follows ``tools/train.py``.
    """
    words = [str(recipe)]
    for name, value in arguments.items():
        # 0 is a seed.
        if name == 'options' or value in (None, 'none') or value is False:
            continue
        words.append(f'--{name.replace("_", "-")}')
        words += [] if value is True else [str(value)]
    pairs = [f'{k}={v}' for k, v in _flat(arguments.get('options') or {})]
    return [*words, *(['--cfg-options', *pairs] if pairs else [])]


@contextlib.contextmanager
def errors_told() -> Iterator[None]:
    """End a command as its outcome asks: one sentence and an exit status.

    Most errors are found by all ranks at once. The first one speaks, and its
    launcher then ends the others; a rank that is left alone has an error of
    its own to report.
    """
    try:
        with usage_errors_in_one_sentence():
            yield
            sys.stdout.flush()
    except BrokenPipeError:  # such as of `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except SystemExit as end:
        if process_rank() > 0 and isinstance(end.code, str):
            time.sleep(PATIENCE_S)
        raise
    finally:
        torch = sys.modules.get('torch')
        if torch is not None and torch.distributed.is_initialized():
            torch.distributed.destroy_process_group()


def refuse_words(arguments: Mapping[str, Any]) -> None:
    """Say what is wrong with the words, before libraries are imported.

    Args:
        arguments (Mapping): Of a command.

    Raises:
        UsageError: With all faults.
    """
    from mmdrloc.datasets.catalog import CATALOG

    faults = []
    # Of a report, `baseline` is a name in its records.
    recipes = ('baseline',) if 'twins' in arguments else ()
    for name in ('recipe', 'config', 'twins', *recipes):
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
    if len(faults) > 1:
        listed = '\n'.join(f'  {fault}' for fault in faults)
        raise UsageError(f'{len(faults)} problems found:\n{listed}')
    if faults:
        raise UsageError(faults[0])


def _call(name: str, arguments: Mapping[str, Any]) -> Any:
    """Call a function of :mod:`mmdrloc.apis`, in which signals are heard."""
    arguments = dict(arguments)
    refuse_words(arguments)
    if name != 'report' and process_rank() == 0:
        print(f'mmdrloc {name}: importing the libraries', flush=True)
    function = _imported(name)
    if 'options' in arguments:
        arguments['options'] = read_options(arguments['options'])
    with watched(for_good=True):
        return function(**arguments)


def _imported(name: str) -> Callable[..., Any]:
    """Import a function; Ctrl-C just ends the program meanwhile."""
    from mmdrloc import apis

    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        # mmpretrain prints which optional libraries are missing.
        with contextlib.redirect_stdout(io.StringIO()):
            function: Callable[..., Any] = getattr(apis, name)
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
        signal.signal(signal.SIGINT, before)


def _flat(options: Mapping[str, Any], place: str = '') -> Iterator[Any]:
    for key, value in options.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f'{place}{key}.')
        else:
            yield f'{place}{key}', value


def _near(word: str, known: Any) -> str:
    """End a sentence with the nearest of some words, if one is near."""
    near = difflib.get_close_matches(word, known, 1)
    return f'; did you mean {near[0]}?' if near else ''
