"""The command line: ``mmdrloc COMMAND``, and ``python tools/COMMAND.py``.

A command calls the function of :mod:`mmdrloc.apis` that has its name. Nothing
that takes long is imported here: help and misspelt words are answered at once.
"""

import argparse
import contextlib
import gc
import io
import os
import re
import shlex
import signal
import sys
import tempfile
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
    Tuple,
)

from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import (
    UsageError,
    nearest,
    one_sentence_errors,
    refuse,
    usage_errors_in_one_sentence,
)
from mmdrloc.utils.paths import find_recipe, recipe_names
from mmdrloc.utils.signals import watched
from mmdrloc.version import __version__

# For how long another rank leaves the word to the first one.
PATIENCE_S = 10.0
Argument = Tuple[str, Dict[str, Any]]


def arg(name: str, help: str, **told: Any) -> Argument:
    """An argument, as :meth:`argparse.ArgumentParser.add_argument` has it."""
    return name, dict(told, help=help)


def flag(name: str, help: str) -> Argument:
    """An option without a value."""
    return arg(name, help, action='store_true')


def _pair(text: str) -> str:
    if '=' not in text.lstrip('='):
        raise argparse.ArgumentTypeError(
            f'{text} is not of the form KEY=VALUE (lists: KEY="[a,b]", '
            'without spaces)'
        )
    return text


RECIPE = arg('recipe', 'a config, or the name of a recipe')
CONFIG = arg('config', 'config of the training')
CHECKPOINT = arg('checkpoint', 'a checkpoint')
DATASET = arg(
    '--dataset',
    "a dataset's name, a config that describes one, or a folder of images "
    "(default: the config's own)",
    metavar='NAME|FILE|FOLDER',
)
TRUST = flag(
    '--trust',
    'read checkpoints and annotations even if they hold more than tensors '
    'and plain values; this runs any code that they contain',
)
# What both a training and a test have.
RUN = [
    DATASET,
    arg(
        '--cfg-options',
        'change settings of the config: optim_wrapper.optimizer.lr=0.001 '
        'key="[a,b]"',
        dest='options',
        nargs='+',
        action='extend',
        type=_pair,
        metavar='KEY=VALUE',
    ),
    arg('--work-dir', 'default: work_dirs/<recipe>_<dataset>'),
    flag('--partial', 'take a checkpoint of which only a part fits'),
    TRUST,
]
TRAINING = [
    *RUN,
    arg('--epochs', 'scales the schedule with its warm-up', type=int),
    arg('--iters', 'the same, counted in iterations', type=int),
    flag('--amp', 'mixed precision (on CPUs: bfloat16)'),
]
LAUNCHED = [
    arg(
        '--launcher',
        'how the processes of a distributed run are started',
        choices=['none', 'pytorch', 'slurm', 'mpi'],
        default='none',
    ),
    # Launchers pass one or the other; torchrun sets the environment.
    ('--local_rank', dict(type=int, help=argparse.SUPPRESS)),
    ('--local-rank', dict(type=int, help=argparse.SUPPRESS)),
]


class Command(NamedTuple):
    """What it does, its arguments, examples, and how its outcome is told.

    It calls the function of :mod:`mmdrloc.apis` of its name, or ``call``.
    """

    does: str
    arguments: Sequence[Argument] = ()
    examples: str = ''
    tell: Callable[[Any], str] = str
    call: Optional[Callable[..., None]] = None


def _written(paths: Any) -> str:
    found = paths if isinstance(paths, list) else [paths]
    return '\n'.join(f'written: {path}' for path in found)


def _recipes(words: Sequence[str]) -> None:
    from .showing import list_recipes

    print(list_recipes(words))


def _doctor() -> None:
    from mmdrloc.utils.doctor import examine

    examine()


COMMANDS = dict(
    train=Command(
        'train a recipe',
        [
            RECIPE,
            *TRAINING,
            arg(
                '--weights',
                'a checkpoint of any known origin to start from, its address, '
                "the work_dir of a training, or a name of mmpretrain's model "
                'zoo',
                metavar='FILE|RUN|ADDRESS|NAME',
            ),
            arg('--seed', 'seed of the run', type=int),
            arg(
                '--resume',
                'continue from this checkpoint, or from the last in the '
                'work_dir; without it, the same command continues its own run',
                nargs='?',
                const='auto',
            ),
            flag('--overwrite', 'replace the run that lies in the work_dir'),
            flag('--check', 'all that comes before the first iteration'),
            *LAUNCHED,
        ],
        """
  mmdrloc train quickstart/swin-2stage_drloc
  mmdrloc train CONFIG --dataset ~/photos/pets --epochs 20 --check
  mmdrloc train CONFIG --weights work_dirs/RUN --seed 1
  bash tools/dist_train.sh CONFIG 2 --cfg-options auto_scale_lr.enable=True
""",
        tell=lambda run: '',
    ),
    test=Command(
        'evaluate a checkpoint',
        [
            arg('recipe', 'a config, or the work_dir of a run'),
            arg('checkpoint', 'default: the last of the run', nargs='?'),
            *RUN,
            arg(
                '--out',
                'save predictions: a .pkl file, or of a segmentor a '
                'folder of label maps',
            ),
            arg('--show-dir', 'save the drawn predictions here'),
            flag('--tta', "use the config's test-time augmentation"),
            *LAUNCHED,
        ],
        """
  mmdrloc test work_dirs/RUN
  mmdrloc test CONFIG CHECKPOINT --dataset svhn --show-dir pictures
  mmdrloc test CONFIG CHECKPOINT --out predictions.pkl --tta
""",
        tell=lambda metrics: '',
    ),
    predict=Command(
        'what a trained model sees on photos',
        [
            arg('model', 'the work_dir of a run, or a published folder'),
            arg('images', 'photos, or folders of them', nargs='+'),
            arg(
                '--out',
                'one page of the photos and what is seen on them',
                metavar='PAGE.html',
            ),
            arg('--checkpoint', 'default: the last of the run'),
            TRUST,
        ],
        """
  mmdrloc predict work_dirs/RUN photo.jpg
  mmdrloc predict work_dirs/RUN ~/photos/new --out new.html
""",
        tell=lambda found: '\n'.join(map(str, found)),
    ),
    compare=Command(
        'train DRLoc recipes and their baseline over several seeds; the '
        'differences, paired by seed, with 95 % confidence intervals',
        [
            arg('recipes', 'recipes to be compared', nargs='+'),
            *TRAINING,
            arg('--seeds', 'a run each', type=int, nargs='+', required=True),
            arg(
                '--baseline',
                'what to compare with (default: the recipe that '
                'a DRLoc recipe inherits from)',
            ),
            arg(
                '--weights',
                'what all runs start from; of several (or "none") '
                'each is compared with the first',
                nargs='+',
            ),
            arg('--jobs', 'runs at a time', type=int, default=1),
        ],
        """
  mmdrloc compare quickstart/swin-2stage_drloc --seeds 0 1 2 --epochs 2
  mmdrloc compare quickstart/upernet_swin-2stage --seeds 0 1 2 \\
      --weights work_dirs/swin-2stage_digits \\
      work_dirs/swin-2stage_drloc_digits
""",
        tell=lambda it: f'\n{it}\n\nwritten: {it.folder / "report.md"}',
    ),
    show=Command(
        'what a recipe trains, how, and what came of it',
        [RECIPE, DATASET],
        '\n  mmdrloc show scratch_100e/swin-tiny_drloc --dataset svhn\n',
    ),
    recipes=Command(
        'list the recipes, or those that match all of some words',
        [arg('words', 'parts of name, task or dataset', nargs='*')],
        '\n  mmdrloc recipes swin drloc cifar-10\n',
        call=_recipes,
    ),
    report=Command(
        'tables, curves and pictures of runs',
        [
            arg('runs', 'work_dirs, or a .json file of several', nargs='+'),
            arg(
                '--out',
                'file to write: .html (one file, opens offline), .md '
                '(curves beside it), .png (gain over iterations), .json (the '
                'runs)',
                required=True,
            ),
            arg('--title', 'its heading', default='Results'),
            arg('--pictures', 'PNG files to show', nargs='*', default=[]),
            arg('--baseline', 'compare others with this, paired by seed'),
        ],
        '\n  mmdrloc report work_dirs/swin-2stage* --out report.html\n',
        tell=_written,
    ),
    transfer=Command(
        'carry a backbone from one format into another',
        [
            CHECKPOINT,
            arg('out', 'file to write, .pth or .safetensors'),
            arg('--origin', 'format of the checkpoint (told by its tensors)'),
            arg(
                '--config',
                'check that the backbone fits the one in this '
                'config, and resize position embeddings to it',
            ),
            flag('--with-head', 'keep the heads too: a whole classifier'),
            arg('--to', 'write the classifier in the format of this origin'),
            arg(
                '--audit-json', 'write names of kept and dropped tensors here'
            ),
            TRUST,
        ],
        """
  mmdrloc transfer work_dirs/swin/epoch_30.pth backbone.pth --config CONFIG
  mmdrloc transfer swin_tiny.pth classifier.pth --with-head
  mmdrloc transfer epoch_300.pth swin_timm.pth --to swin-timm
""",
    ),
    publish=Command(
        'a trained model as a folder for others, in the shape of the Hub',
        [
            CONFIG,
            CHECKPOINT,
            arg('folder', 'folder to be made'),
            arg(
                '--runs',
                'work_dirs of the same training with other seeds',
                nargs='+',
                default=[],
            ),
            arg('--license', 'such as apache-2.0'),
            arg('--timm', "timm's name of the network: adds a copy for timm"),
            TRUST,
        ],
        """
  mmdrloc publish quickstart/swin-2stage_drloc \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth published/digits
  hf upload NAME/digits published/digits
""",
        tell=_written,
    ),
    export=Command(
        'a classifier as an ONNX file; docs/deploy.md',
        [
            CONFIG,
            CHECKPOINT,
            arg('out', 'ONNX file to be written'),
            arg(
                '--size',
                'height and width (default: as the test has them)',
                type=int,
                nargs=2,
            ),
            arg('--batch-size', 'images an input', type=int, default=1),
            TRUST,
        ],
        """
  mmdrloc export quickstart/swin-2stage_drloc \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth digits.onnx
""",
        tell=lambda found: f'greatest difference of the logits: {found:g}',
    ),
    doctor=Command('what is wrong with this installation', call=_doctor),
)


class _Parser(argparse.ArgumentParser):
    """Names the nearest word where one is misspelt."""

    def error(self, message: str) -> NoReturn:
        """Print usage and message, and exit; see the base class."""
        known = [n for action in self._actions for n in action.option_strings]
        wrong = re.search(r'(?:choice: \'|arguments: )([^\s=\']+)', message)
        if wrong:
            message = message.partition(' (choose from')[0]
            message += _near(wrong[1], [*known, *COMMANDS])
        super().error(message)


def main(argv: Optional[Sequence[str]] = None) -> None:
    """Run ``mmdrloc COMMAND ...``.

    Args:
        argv (Sequence[str], optional): The words after ``mmdrloc``. Defaults
            to those of the process.
    """
    parser = command_parser(
        'Vision transformers that train well on small data.',
        'mmdrloc COMMAND --help says more.',
        'mmdrloc',
    )
    parser.add_argument('--version', action='version', version=__version__)
    commands = parser.add_subparsers(dest='name', metavar='COMMAND')
    commands.required = True
    for name, this in COMMANDS.items():
        own = commands.add_parser(
            name,
            help=this.does.partition('; ')[0],
            description=f'{this.does[0].upper()}{this.does[1:]}.',
            epilog=this.examples and f'examples:{this.examples}',
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        add_arguments(own, *this.arguments)
    parsed, rest = parser.parse_known_args(argv)
    arguments = vars(parsed)
    name = arguments.pop('name')
    if rest:  # said by the parser that knows the options
        commands.choices[name].error(f'unrecognized arguments: {rest[0]}')
    rank = arguments.pop('local_rank', None)
    if rank is not None:
        os.environ.setdefault('LOCAL_RANK', str(rank))
    with usage_errors_in_one_sentence():
        this = COMMANDS[name]
        if this.call is not None:
            this.call(**arguments)
        else:
            told = this.tell(_call(name, arguments))
            print(told, end='\n' if told else '')


def run(name: str) -> None:
    """Run one command with the words of the process."""
    main([name, *sys.argv[1:]])


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


def add_arguments(
    parser: argparse.ArgumentParser, *arguments: Argument
) -> None:
    """Add arguments such as ``CONFIG`` to a parser."""
    for name, told in arguments:
        parser.add_argument(name, **told)


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
    """The words of the command that does what a call of ``train`` does.

    Args:
        recipe (Any): What is trained.
        arguments (Mapping): The other arguments; those that are as by
            default say nothing.

    Returns:
        list[str]: What follows ``tools/train.py``.
    """
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
    """Say what is wrong with the words, before libraries are imported.

    Args:
        arguments (Mapping): Of a command.

    Raises:
        UsageError: With all faults.
    """
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
    faults += [
        f'there is no image {image}.'
        for image in arguments.get('images', ())
        if not Path(image).exists()
    ]
    refuse(faults)


def _call(name: str, arguments: Mapping[str, Any]) -> Any:
    """Call a function of :mod:`mmdrloc.apis`, in which signals are heard."""
    arguments = dict(arguments)
    refuse_words(arguments)
    if name != 'report' and process_rank() == 0:
        print(f'mmdrloc {name}: importing the libraries', flush=True)
    function = _imported(name)
    if 'options' in arguments:
        arguments['options'] = read_options(arguments['options'])
    folder = Path(tempfile.gettempdir(), 'mmdrloc')
    try:
        with watched(for_good=True), one_sentence_errors(folder):
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
    from mmdrloc import apis

    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Imports leave no garbage; to look for it takes a fifth of their time.
    gc.disable()
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
