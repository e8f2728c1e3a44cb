"""The command line: ``mmdrloc COMMAND``, and ``python tools/COMMAND.py``.

A command reads its words and calls the function of :mod:`mmdrloc.apis` that
has its name. Nothing that takes long is imported here: help comes at once, and
so does what is wrong with the words.
"""

import argparse
import contextlib
import io
import os
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


def _pair(text: str) -> str:
    if '=' not in text.lstrip('='):
        raise argparse.ArgumentTypeError(
            f'{text} is not of the form KEY=VALUE (lists: KEY="[a,b]", '
            'without spaces)'
        )
    return text


OPTIONS = """
recipe  a config, or the name of a recipe
config  config of the training
checkpoint  a checkpoint
--dataset NAME|FILE|FOLDER  a dataset's name, a config that describes one, or
    a folder of images (default: the config's own)
--weights FILE|RUN|ADDRESS|NAME  start from these weights: a checkpoint of any
    known origin, its address, the work_dir of a training, or a name of
    mmpretrain's model zoo, like swin-tiny_16xb64_in1k
--work-dir DIR  where logs and results go (default: the config's work_dir, or
    work_dirs/<recipe>_<dataset>)
--cfg-options KEY=VALUE...  change settings of the config:
    optim_wrapper.optimizer.lr=0.001 key="[a,b]"
--seed N  seed of the run
--amp  train in mixed precision (on CPUs: bfloat16)
--resume [PATH]  continue from this checkpoint, or from the last one in the
    work_dir; without it, the same command continues its own run
--overwrite  start anew where an earlier run lies, which is removed once all
    checks have passed
--check  do all that comes before the first iteration, and write nothing
--partial  start from a checkpoint of which only a part fits
--trust  read checkpoints and annotations even if they hold more than tensors
    and plain values; this runs any code that they contain
--launcher KIND  how the processes of a distributed run are started: none,
    pytorch, slurm or mpi (default: none)
"""
TRAINING = '--dataset --cfg-options --amp --partial --trust'
# What argparse is told beside the text.
TOLD: Dict[str, Dict[str, Any]] = {
    '--cfg-options': dict(dest='options', action='extend', type=_pair),
    '--launcher': dict(
        choices=['none', 'pytorch', 'slurm', 'mpi'], default='none'
    ),
    'words': dict(nargs='*'),
    '--pictures': dict(nargs='*', default=[]),
    '--jobs': dict(default=1),
    '--batch-size': dict(default=1),
    '--size': dict(nargs=2, metavar=('HEIGHT', 'WIDTH')),
    '--title': dict(default='Results'),
    '--runs': dict(default=[]),
}


class Command(NamedTuple):
    """A command line.

    Args:
        does (str): What it does.
        options (str): Names of ``OPTIONS``.
        own (str): Options of its own, written as those.
        examples (str): Shown at the end of its help.
        tell (Callable, optional): Says what came of it.
        call (Callable, optional): Gets its arguments. Defaults to the
            function of :mod:`mmdrloc.apis` that has its name.
    """

    does: str
    options: str = ''
    own: str = ''
    examples: str = ''
    tell: Optional[Callable[[Any], str]] = None
    call: Optional[Callable[..., None]] = None

    def arguments(self) -> Dict[str, Dict[str, Any]]:
        """What argparse is told, by name; positional ones in their order."""
        shared, own = read_table(OPTIONS), read_table(self.own)
        named = {name: shared[name] for name in self.options.split()}
        return {**named, **own}


def read_table(text: str) -> Dict[str, Dict[str, Any]]:
    """Read options as they are written above.

    Args:
        text (str): An option a line, its help after two spaces. ``X...`` are
            several, ``[X]`` is optional, ``X!`` is not, ``N`` is a number; a
            flag has none.

    Returns:
        dict: What argparse is told, by name.
    """
    table: Dict[str, Dict[str, Any]] = {}
    for line in text.replace('\n    ', ' ').strip().splitlines():
        head, _, told = line.partition('  ')
        name, *values = head.split()
        value = values[-1] if values else name
        bare = value.strip('[.!]')
        entry: Dict[str, Any] = dict(help=told)
        if value.endswith('!'):
            entry['required'] = True
            value = value[:-1]
        if value.endswith('...'):
            entry['nargs'] = '+'
        elif value.startswith('['):
            entry['nargs'] = '?'
        if not name.startswith('-'):
            name = bare
        elif not values:
            entry['action'] = 'store_true'
        else:
            entry['metavar'] = bare
            entry.update(dict(type=int) if bare == 'N' else {})
            entry.update(dict(const='auto') if value[0] == '[' else {})
        entry.update(TOLD.get(name, {}))
        table[name] = entry
    return table


def _tell_comparison(found: Any) -> str:
    return f'\n{found}\n\nwritten: {found.folder / "report.md"}'


def _tell_files(paths: Any) -> str:
    found = paths if isinstance(paths, list) else [paths]
    return '\n'.join(f'written: {path}' for path in found)


def _tell_difference(found: float) -> str:
    return f'greatest difference of the logits: {found:g}'


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
        '--dataset --work-dir --cfg-options --partial --trust --launcher',
        """
recipe  a config, or the work_dir of a run
[checkpoint]  the checkpoint to evaluate (default: the last of the run)
--out PATH  save the predictions: a .pkl file, or for segmentation a folder
    of label maps
--show-dir DIR  save the drawn predictions here
--tta  use the config's test-time augmentation
""",
        """
  python tools/test.py work_dirs/RUN
  python tools/test.py CONFIG CHECKPOINT --dataset svhn --show-dir pictures
  python tools/test.py CONFIG CHECKPOINT --out predictions.pkl --tta
""",
    ),
    compare=Command(
        'train DRLoc recipes and their baseline over several seeds; the '
        'differences, paired by seed, with 95 % confidence intervals',
        f'{TRAINING} --work-dir',
        """
twins...  recipes to be compared
--seeds N...!  a run each
--baseline RECIPE  what to compare with (default: the recipe that a DRLoc
    recipe inherits from)
--weights FILE|RUN...  what all runs start from; of several (or "none") each
    is compared with the first
--jobs N  runs at a time
""",
        """
  python tools/paired.py configs/quickstart/swin-2stage_drloc.py \\
      --seeds 0 1 2 --jobs 2
  python tools/paired.py configs/quickstart/upernet_swin-2stage.py \\
      --weights work_dirs/swin-2stage_digits \\
      work_dirs/swin-2stage_drloc_digits --seeds 0 1 2
""",
        tell=_tell_comparison,
    ),
    transfer=Command(
        'carry a backbone from one format into another',
        'checkpoint --trust',
        """
out  file to write, .pth or .safetensors
--origin NAME  format of the checkpoint (told by its tensors)
--config CONFIG  check that the backbone fits the one in this config, and
    resize position embeddings to it
--with-head  keep the heads too: a whole classifier
--to NAME  write the classifier in the format of this origin
--audit-json PATH  write the names of kept and dropped tensors here
""",
        """
  python tools/transfer.py work_dirs/swin/epoch_30.pth backbone.pth \\
      --config CONFIG
  python tools/transfer.py swin_tiny.pth classifier.pth --with-head
  python tools/transfer.py epoch_300.pth swin_timm.pth --to swin-timm
""",
        tell=str,
    ),
    report=Command(
        'tables, curves and pictures of runs',
        own="""
runs...  work_dirs, or a .json file of several
--out FILE!  file to write: .html (one file, opens offline), .md (curves
    beside it), .png (gain over iterations), .json (the runs)
--title TEXT  its heading
--pictures PNG...  pictures to be shown in it
--baseline CONFIG  compare the others with it, paired by seed
""",
        examples="""
  python tools/report.py work_dirs/swin-2stage* --out work_dirs/report.html
""",
        tell=_tell_files,
    ),
    publish=Command(
        'a trained model as a folder for others, in the shape of the Hub',
        'config checkpoint --trust',
        """
folder  folder to be made
--runs RUN...  work_dirs of the same training with other seeds
--license ID  such as apache-2.0
--timm NAME  timm's name of the network: adds a copy for timm
""",
        """
  python tools/publish.py configs/quickstart/swin-2stage_drloc.py \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth published/digits
  hf upload NAME/digits published/digits
""",
        tell=_tell_files,
    ),
    export=Command(
        'a classifier as an ONNX file; docs/deploy.md',
        'config checkpoint --trust',
        """
out  ONNX file to be written
--size N...  height and width of the images (default: as the test has them)
--batch-size N  images an input
""",
        """
  python tools/export_onnx.py configs/quickstart/swin-2stage_drloc.py \\
      work_dirs/swin-2stage_drloc_digits/epoch_3.pth digits.onnx
""",
        tell=_tell_difference,
    ),
    recipes=Command(
        'list the recipes, or those that match all of some words',
        call=_recipes,
        own='words...  parts of the name, the task or a dataset',
        examples='\n  mmdrloc recipes swin drloc cifar-10\n',
    ),
    doctor=Command('what is wrong with this installation', call=_doctor),
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
    told = this.arguments()
    for name in told:
        parser.add_argument(name, **told[name])
    if '--launcher' in told:
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
        if this.call is not None:
            this.call(**arguments)
            return
        outcome = _call(command, arguments)
        if this.tell is not None:
            print(this.tell(outcome))


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
        parser.add_argument(name, **read_table(OPTIONS)[name])


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
    for name, value in sorted(arguments.items()):
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
    with watched(for_good=True), one_sentence_errors(folder):
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
    near = nearest(word, known, 0.6)
    return f'; did you mean {near}?' if near else ''
