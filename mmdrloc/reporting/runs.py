"""Results of runs: from work directories, or from a file of several.

``result.json`` is of one run, a file of several has the same under ``runs``.
"""

import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple, Union

from mmdrloc.utils.errors import UsageError, cause, counted, mention
from mmdrloc.utils.files import atomic_path
from .identity import baseline_of_run, of_length, of_run, shorten

RESULT = 'result.json'
Result = Dict[str, Any]
Curves = Dict[str, List[Tuple[int, float]]]


class RunResult:
    """What came out of one training.

    It is compared with others only if it is ``finished``.

    Args:
        place (Path): Its work directory, or the file that it was read from.
        result (dict): The content of its ``result.json``.
    """

    #: A short name among the runs that it was loaded with, and in what those
    #: of its name differ otherwise, such as ' (750 updates)'.
    name = manner = ''
    #: The options that its name leaves out.
    unnamed: Sequence[str] = ()

    def __init__(self, place: Path, result: Result) -> None:
        self.place = place
        self.result = result
        self.seed: int = result['seed']
        self.dataset: str = result['dataset']['name']
        self.finished: bool = result['finished']
        self.planned: int = result['updates']['planned']
        # A training by MMEngine's own tool does not say.
        told = dict(recipe=result['config']['name'], dataset=self.dataset)
        run = result.get('run') or dict(told, weights=None, baseline=None)
        self.identity = of_run(run)
        #: With its length, which a table of published values may name.
        self.asked = of_length(run)
        self.baseline = baseline_of_run(run)
        #: How it was trained, beside what its name says.
        self.how: Tuple[str, ...] = (
            counted(self.planned, 'update'),
            f'batch size {result["global_batch"]}',
            counted(result['dataset']['train_images'], 'training image'),
            *run.get('how', ()),
        )
        #: A checksum of its config; older runs have none.
        self.settings: Optional[str] = run.get('settings')

    @property
    def config(self) -> str:
        """What it is called among runs on the same data."""
        unfinished = '' if self.finished else ' (unfinished)'
        return f'{self.name}{self.manner}{unfinished}'

    @property
    def curves(self) -> Curves:
        """What it logged, by iteration."""
        return curves_in(self.place)


def load_runs(places: Sequence[Union[str, Path]]) -> List[RunResult]:
    """Read the results of trainings.

    Args:
        places (Sequence[str | Path]): Work folders, folders that hold some,
            such as a comparison's, and files of several runs, whose names
            end with .json; a run that is given twice counts once. What
            holds no run is left out with a note, and so is a run without a
            metric.

    Returns:
        list[RunResult]: Sorted by config, data, updates and seed.

    Raises:
        UsageError: If one cannot be read, or none has a metric.
    """
    files: Dict[Path, Path] = {}
    notes = []
    for place in map(Path, places):
        found = _files_in(place)
        files.update({file.resolve(): file for file in found})
        if not found:
            notes.append(f'{place} holds no run of `mmdrloc train`')
    # A file may hold runs of the folders, which have their curves: last.
    last = sorted(files.values(), key=lambda file: file.name == RESULT)
    once = {_portable(r): (f, r) for f in last for r in read_results(f)}
    runs = []
    for file, result in once.values():
        place = file.parent if file.name == RESULT else file
        if result['last'] and result['validations']:
            runs.append(RunResult(place, result))
        else:
            notes.append(
                f'{place} has no metric: it was never validated, or its '
                'detector found nothing'
            )
    if not runs:
        raise UsageError('; '.join(notes) or 'no run is given')
    mention(*(f'left out: {note}' for note in notes))
    # Of a baseline and its twins: several lengths are several configs.
    common: Dict[Any, Set[str]] = {}
    # A config may have been edited, or two have one name.
    configs: Dict[Any, Set[Optional[str]]] = defaultdict(set)
    for run in runs:
        configs[run.identity, run.dataset, run.how].add(run.settings)
        key = run.baseline or run.identity, run.dataset
        common[key] = common.get(key, {*run.how}) & {*run.how}
    short = shorten([run.identity for run in runs])
    for run in runs:
        named, options = short[run.identity], run.identity.options
        run.name = named.title
        run.unnamed = [o for o in options if not o.endswith(named.options)]
        shared = common[run.baseline or run.identity, run.dataset]
        own = [part for part in run.how if part not in shared]
        if len(configs[run.identity, run.dataset, run.how] - {None}) > 1:
            own.append(f'config {run.settings or "unknown"}')
        run.manner = f' ({", ".join(own)})' if own else ''
    return sorted(
        runs, key=lambda r: (r.identity.title, r.dataset, r.planned, r.seed)
    )


def _files_in(place: Path) -> List[Path]:
    """The results of a run, of the runs in a folder, or of a file."""
    place = place.expanduser()
    if not place.exists():
        raise UsageError(f'there is no {place}')
    if not place.is_dir():
        return [place] if place.suffix == '.json' else []
    own = place / RESULT
    return [own] if own.is_file() else sorted(place.glob(f'*/{RESULT}'))


def curves_in(folder: Path) -> Curves:
    """Read what a training has logged, validated or not.

    Of an iteration that was run twice, the later counts.
    """
    values: Dict[str, Dict[int, float]] = defaultdict(dict)
    for path in sorted(folder.glob('*/vis_data/scalars.json')):
        for line in path.read_text(errors='replace').splitlines():
            try:
                entry = json.loads(line)
            except ValueError:  # the last line of a killed training
                continue
            # Those of validations, which count epochs, have no learning rate.
            for name, value in entry.items() if 'lr' in entry else ():
                # A loss that was not a number is a gap in the curve.
                if isinstance(value, (int, float)) and math.isfinite(value):
                    values[name][entry['step']] = value
    return {name: sorted(points.items()) for name, points in values.items()}


def read_result(path: Path) -> Result:
    """Read a ``result.json``; see :func:`read_results`."""
    return read_results(path)[0]


def read_results(path: Path) -> List[Result]:
    """Read a ``result.json`` of one run, or a file of several.

    Raises:
        UsageError: If it is damaged or something else.
    """
    try:
        content = json.loads(path.read_text(encoding='utf-8'))
        results = content.get('runs', [content])
        for result in results:
            RunResult(path, result)
        if not results:
            raise ValueError('it has no runs')
    except Exception as error:  # what is damaged fails in many ways
        raise UsageError(
            f'{path} is damaged, or no record of `mmdrloc train` or `mmdrloc '
            f'report` ({cause(error)}): have it written again.'
        ) from error
    return results


def write_results(results: Sequence[Result], path: Path) -> None:
    """Write the results of runs into one small file, a line each.

    Numbers keep six digits; where the config lay on that machine is left out.
    """
    lines = [_portable(result) for result in results]
    with atomic_path(path) as temporary:
        temporary.write_text('{"runs": [\n' + ',\n'.join(lines) + '\n]}\n')


def _portable(result: Result) -> str:
    """A run in one line, the same of its folder and of a file."""
    known = {**result, 'config': {'name': result['config']['name']}}
    rounded = json.loads(
        json.dumps(known), parse_float=lambda n: float(f'{float(n):.6g}')
    )
    return json.dumps(rounded)
