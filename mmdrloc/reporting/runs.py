"""Trainings as plain records, from work folders or from a file of several."""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import (
    Any,
    Dict,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
    Union,
)

from mmdrloc.reporting.results import (
    is_number,
    read_result,
    read_results,
    read_scalars,
)
from mmdrloc.utils.errors import UsageError
from .identity import Identity, baseline_of_run, of_run

Curve = List[Tuple[int, float]]


class Validation(NamedTuple):
    """What was measured in the course of a training.

    Args:
        iteration (int): After which.
        update (int): After how many; fewer than iterations where gradients
            are accumulated.
        epoch (int, optional): After which, of a training that counts them.
        metrics (dict[str, float]): By the evaluators' names.
        skill (float, optional): DRLoc's, where the loss is trained.
    """

    iteration: int
    update: int
    epoch: Optional[int]
    metrics: Dict[str, float]
    skill: Optional[float]


@dataclass(frozen=True)
class Run:
    """One training.

    Args:
        place (Path): Its work folder, or the file that it was read from.
        identity (Identity): What tells it apart, its seed left out.
        baseline (Identity, optional): What it is to be compared with, if it
            is a twin.
        seed (int): Of the training.
        dataset (str): Name of the data.
        last (dict[str, float]): Metrics after the last update.
        best (dict[str, float]): The best of all validations, each metric
            for itself.
        skill (float, optional): DRLoc's at the end.
        validations (tuple[Validation, ...]): At least one.
        result (dict): The whole record, as ``result.json`` has it.
        curves (dict[str, list[tuple[int, float]]]): Iterations and values
            of each number that it logged, resumed parts joined. Of an
            iteration that was run twice, the later counts. Of a file of
            several runs: the skill at the validations alone.
        length (str): Where others of its name, or of its baseline's, were
            planned for another number of updates, that number. Defaults to
            ''.
    """

    place: Path
    identity: Identity
    baseline: Optional[Identity]
    seed: int
    dataset: str
    last: Dict[str, float]
    best: Dict[str, float]
    skill: Optional[float]
    validations: Tuple[Validation, ...]
    result: Mapping[str, Any] = field(repr=False)
    curves: Dict[str, Curve] = field(repr=False)
    length: str = ''

    @property
    def config(self) -> str:
        """What it is called among runs on the same data."""
        return f'{self.identity.title}{self.length}'

    @property
    def baseline_config(self) -> Optional[str]:
        """What its baseline is called there, if it is a twin."""
        return self.baseline and f'{self.baseline.title}{self.length}'


def load_runs(places: Sequence[Union[str, Path]]) -> List[Run]:
    """Read what trainings have left.

    Args:
        places (Sequence[str | Path]): Work folders, each with a
            ``result.json``, and files of several runs, whose names end with
            .json.

    Returns:
        list[Run]: Sorted by config and seed.

    Raises:
        UsageError: If one of them cannot be read, or is of a run that was
            never validated.
    """
    runs = []
    # One that is given twice would count twice.
    for place in {
        Path(name).resolve(): Path(name) for name in places
    }.values():
        if place.suffix == '.json' and not place.is_dir():
            runs += [
                _run_of(result, place, {}) for result in read_results(place)
            ]
            continue
        path = place / 'result.json'
        if not path.is_file():
            raise UsageError(
                f'{place} holds no result.json: give the work '
                'folders of runs made by tools/train.py'
            )
        runs.append(_run_of(read_result(path), place, curves_in(place)))
    return sorted(
        _told_by_length(runs), key=lambda run: (run.config, run.seed)
    )


def _told_by_length(runs: Sequence[Run]) -> List[Run]:
    """Name the lengths of runs that the same name would put together."""
    planned: Dict[Tuple[Identity, str], Set[int]] = defaultdict(set)
    for run in runs:
        family = run.baseline or run.identity, run.dataset
        planned[family].add(run.result['updates']['planned'])
    told = []
    for run in runs:
        if len(planned[run.baseline or run.identity, run.dataset]) > 1:
            length = f' ({run.result["updates"]["planned"]} updates)'
            run = replace(run, length=length)
        told.append(run)
    return told


def _run_of(
    result: Dict[str, Any], place: Path, curves: Dict[str, Curve]
) -> Run:
    if not (result['last'] and result['validations']):
        raise UsageError(f'{place}: this run was never validated')
    accumulated = _iterations_an_update(result)
    validations = tuple(
        Validation(
            entry['iter'],
            # As it was counted: a last incomplete one is one.
            -(-entry['iter'] // accumulated),
            entry.get('epoch'),
            entry['metrics'],
            entry.get('drloc_skill'),
        )
        for entry in result['validations']
    )
    skills = [
        (v.iteration, v.skill) for v in validations if v.skill is not None
    ]
    run = result.get('run')
    dataset = result['dataset']['name']
    return Run(
        place=place,
        # An older version told runs apart by the config's name alone.
        identity=of_run(run)
        if run
        else Identity(result['config']['name'], dataset),
        baseline=baseline_of_run(run) if run else None,
        seed=result['seed'],
        dataset=dataset,
        last=_values(result['last']),
        best=_values(result['best']),
        skill=result.get('drloc_skill'),
        validations=validations,
        result=result,
        curves={'drloc_skill': skills, **curves} if skills else curves,
    )


def _values(measured: Dict[str, Dict[str, float]]) -> Dict[str, float]:
    return {name: entry['value'] for name, entry in measured.items()}


def _iterations_an_update(result: Dict[str, Any]) -> int:
    """One, unless the planned length tells otherwise."""
    length, last = result.get('length', {}), result['validations'][-1]
    updates = result['updates']['planned']
    iterations = length.get('iterations', updates)
    if 'epochs' in length and last.get('epoch'):
        iterations = length['epochs'] * last['iter'] / last['epoch']
    return max(1, round(iterations / updates)) if updates else 1


def curves_in(folder: Path) -> Dict[str, Curve]:
    """Read what a training has logged, validated or not.

    Args:
        folder (Path): Its work folder.

    Returns:
        dict[str, list[tuple[int, float]]]: Iterations and values of each
        number, resumed parts joined.
    """
    values: Dict[str, Dict[int, float]] = {}
    for path in sorted(folder.glob('*/vis_data/scalars.json')):
        for entry in read_scalars(path) if path.is_file() else ():
            for name, value in entry.items():
                # A loss that was not a number is a gap in the curve.
                if is_number(value):
                    values.setdefault(name, {})[entry['step']] = value
    return {name: sorted(points.items()) for name, points in values.items()}
