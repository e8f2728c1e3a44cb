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

from mmdrloc.utils.errors import UsageError
from .identity import Identity, baseline_of_run, of_run
from .results import RECORD, is_number, read_result, read_results, read_scalars

Curve = List[Tuple[int, float]]


class Validation(NamedTuple):
    """What was measured after an iteration, and an epoch where it counts them.

    ``skill`` is DRLoc's, where the loss is trained.
    """

    iteration: int
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
        result (dict): The whole record, as ``result.json`` has it.
        curves (dict[str, list[tuple[int, float]]]): Iterations and values
            of each number that it logged, resumed parts joined; of a file of
            several runs the skill alone.
        length (str): Where others of its name were planned for another
            number of iterations, that number. Defaults to ''.
    """

    place: Path
    identity: Identity
    baseline: Optional[Identity]
    result: Mapping[str, Any] = field(repr=False)
    curves: Dict[str, Curve] = field(repr=False)
    length: str = ''

    @property
    def seed(self) -> int:
        """Of the training."""
        return self.result['seed']

    @property
    def dataset(self) -> str:
        """Name of the data."""
        return self.result['dataset']['name']

    @property
    def last(self) -> Dict[str, float]:
        """Metrics after the last iteration."""
        return {k: one['value'] for k, one in self.result['last'].items()}

    @property
    def best(self) -> Dict[str, float]:
        """The best of all validations, each metric for itself."""
        return {k: one['value'] for k, one in self.result['best'].items()}

    @property
    def skill(self) -> Optional[float]:
        """DRLoc's at the end."""
        return self.result.get('drloc_skill')

    @property
    def validations(self) -> List[Validation]:
        """At least one."""
        return [
            Validation(
                one['iter'],
                one.get('epoch'),
                one['metrics'],
                one.get('drloc_skill'),
            )
            for one in self.result['validations']
        ]

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
            .json. One that is given twice counts once.

    Returns:
        list[Run]: Sorted by config and seed.

    Raises:
        UsageError: If one of them cannot be read, or is of a run that was
            never validated.
    """
    runs = []
    for place in {Path(p).resolve(): Path(p) for p in places}.values():
        if place.suffix == '.json' and not place.is_dir():
            runs += [_run_of(one, place, {}) for one in read_results(place)]
        elif not (place / RECORD).is_file():
            raise UsageError(
                f'{place} holds no {RECORD}: give the work folders of runs '
                'made by tools/train.py'
            )
        else:
            result = read_result(place / RECORD)
            runs.append(_run_of(result, place, curves_in(place)))
    # The same name with several lengths is several configs.
    planned: Dict[Tuple[Identity, str], Set[int]] = defaultdict(set)
    for run in runs:
        family = run.baseline or run.identity, run.dataset
        planned[family].add(run.result['updates']['planned'])
    told = [
        replace(
            run, length=f' ({run.result["updates"]["planned"]} iterations)'
        )
        if len(planned[run.baseline or run.identity, run.dataset]) > 1
        else run
        for run in runs
    ]
    return sorted(told, key=lambda run: (run.config, run.seed))


def _run_of(
    result: Dict[str, Any], place: Path, curves: Dict[str, Curve]
) -> Run:
    if not (result['last'] and result['validations']):
        raise UsageError(f'{place}: this run was never validated')
    skills = [
        (one['iter'], one['drloc_skill'])
        for one in result['validations']
        if one.get('drloc_skill') is not None
    ]
    run = result.get('run')
    # An older version told runs apart by the config's name alone.
    name = Identity(result['config']['name'], result['dataset']['name'])
    return Run(
        place,
        of_run(run) if run else name,
        baseline_of_run(run) if run else None,
        result,
        {'drloc_skill': skills, **curves} if skills else curves,
    )


def curves_in(folder: Path) -> Dict[str, Curve]:
    """Read what a training has logged, validated or not.

    Args:
        folder (Path): Its work folder.

    Returns:
        dict[str, list[tuple[int, float]]]: Iterations and values of each
        number. Of an iteration that was run twice, the later counts.
    """
    values: Dict[str, Dict[int, float]] = {}
    for path in sorted(folder.glob('*/vis_data/scalars.json')):
        for entry in read_scalars(path) if path.is_file() else ():
            for name, value in entry.items():
                # A loss that was not a number is a gap in the curve.
                if is_number(value):
                    values.setdefault(name, {})[entry['step']] = value
    return {name: sorted(points.items()) for name, points in values.items()}
