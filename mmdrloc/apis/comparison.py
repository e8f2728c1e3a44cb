"""Train recipes and their baseline over several seeds; compare by seed."""

import os
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import (
    Any,
    Dict,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from mmdrloc.checkpoints.starts import start_from
from mmdrloc.datasets.recipes import (
    baseline_of,
    find_recipe,
    read_config,
    work_dir_of,
)
from mmdrloc.preflight import preflight
from mmdrloc.reporting.paired import interval, paired_section
from mmdrloc.reporting.runs import RECORD
from mmdrloc.reporting.tables import (
    by_config,
    metrics_of,
    paired_differences,
)
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import shipped
from .cli import command_of, words_of
from .jobs import Job, run_jobs
from .reports import report
from .run import Run, as_html
from .running import session
from .settings import load_config
from .work_dir import read_json

Place = Union[str, Path]
Places = Union[None, Place, Sequence[Place]]


class Difference(NamedTuple):
    """A mean difference to the baseline, paired by seed.

    Args:
        config (str): What was compared, as tables name it.
        metric (str): As tables name it, with its unit.
        mean (float): In that unit.
        low (float, optional): Lower end of the 95 % confidence interval;
            None of one seed.
        high (float, optional): Its upper end.
    """

    config: str
    metric: str
    mean: float
    low: Optional[float]
    high: Optional[float]


@dataclass(repr=False, eq=False)
class Comparison:
    """Finished runs and their baseline; a table in a notebook.

    Args:
        runs (list[Run]): Of all recipes and seeds.
        baseline (str): What the others are compared with, as tables name it.
        folder (Path): Where the runs lie.
    """

    runs: List[Run]
    baseline: str
    folder: Path

    @property
    def differences(self) -> List[Difference]:
        """To the baseline, after the last update, metric by metric."""
        configs = by_config([run.record() for run in self.runs])
        reference = configs.pop(self.baseline)
        found = []
        for config, others in configs.items():
            for metric in metrics_of(reference[0]):
                numbers = paired_differences(others, reference, metric, 'last')
                ends = interval(numbers) if len(numbers) > 1 else (None, None)
                found.append(
                    Difference(config, metric.title, mean(numbers), *ends)
                )
        return found

    def report(self, out: Optional[Place] = None) -> Path:
        """Write differences, tables and curves.

        Args:
            out (str | Path, optional): A .md or .html file. Defaults to
                ``report.md`` in the folder of the runs.

        Returns:
            Path: The file.
        """
        return report(
            self.runs,
            out or self.folder / 'report.md',
            f'Runs paired with {self.baseline}',
            baseline=self.baseline,
        )

    def __repr__(self) -> str:
        """The mean differences with their intervals, a table."""
        records = [run.record() for run in self.runs]
        return paired_section(records, self.baseline)

    def _repr_html_(self) -> str:
        """The table in a notebook."""
        return as_html(repr(self))


def compare(
    recipes: Union[Place, Sequence[Place]],
    seeds: Sequence[int],
    *,
    baseline: Optional[Place] = None,
    weights: Union[None, Place, Sequence[Place]] = None,
    work_dir: Optional[Place] = None,
    jobs: int = 1,
    dataset: Optional[Place] = None,
    epochs: Optional[int] = None,
    iters: Optional[int] = None,
    amp: bool = False,
    options: Optional[Mapping[str, Any]] = None,
    partial: bool = False,
    trust: bool = False,
) -> Comparison:
    """Train recipes and their baseline over several seeds, and compare.

    Each run is a process of its own, a call of ``tools/train.py`` that is
    printed before it begins. Interrupted, the same call goes on where it
    stopped: finished runs are kept, begun ones resumed. A report is written
    beside them.

    Args:
        recipes (str | Path | Sequence): Recipes to compare with their
            baseline.
        seeds (Sequence[int]): Seeds, a run of each recipe for each.
        baseline (str | Path, optional): What to compare with. Defaults to
            the recipe that a DRLoc recipe inherits from.
        weights (str | Path | Sequence, optional): What all runs start from;
            of several, or 'none', each is compared with the first.
        work_dir (str | Path, optional): Where the runs and the report go.
            Defaults to ``work_dirs/<first recipe>_<data set>_paired``.
        jobs (int): Runs at a time, as many as cores and memory are there
            for. Defaults to 1.
        dataset (str | Path, optional): A data set's name, a file that
            describes one, or a folder of images. Defaults to the recipes'.
        epochs (int, optional): Length of the trainings; warm-up and schedule
            are scaled with it. Defaults to the configs'.
        iters (int, optional): The same in iterations.
        amp (bool): Whether to train in mixed precision. Defaults to False.
        options (Mapping, optional): Settings of the configs to change.
        partial (bool): Whether to take weights of which only a part fits.
            Defaults to False.
        trust (bool): Whether to let files run the code that they contain.
            Defaults to False.

    Returns:
        Comparison: The runs and their differences.

    Raises:
        UsageError: With all that keeps them from being trained, or if one of
            them fails.
        Interrupted: By a signal; a ``KeyboardInterrupt``.
    """
    if jobs < 1:
        raise UsageError(f'{jobs} runs at a time: give 1 or more.')
    how: Dict[str, Any] = dict(
        dataset=dataset,
        options=options,
        partial=partial,
        epochs=epochs,
        iters=iters,
    )
    with session(trust):
        arms = arms_of(recipes, baseline, weights)
        # Before the first one trains for hours.
        configs = [load_config(arm.config, **how) for arm in arms]
        for arm, cfg in zip(arms, configs):
            start_from(cfg, arm.weights)
            preflight(cfg, ['train', 'val'])
        first = len(arms) - len(_listed(recipes))
        usual = f'{work_dir_of(arms[first].config, configs[first])}_paired'
        folder = Path(work_dir or usual)
        tool = os.path.relpath(shipped('tools') / 'train.py')
        places, todo = [], []
        for seed in dict.fromkeys(seeds):
            for arm in arms:
                place = folder / f'{arm.title}_seed{seed}'
                places.append(place)
                own = dict(weights=arm.weights, work_dir=place, seed=seed)
                told = {**own, **how, 'amp': amp, 'trust': trust}
                result = read_json(place / RECORD)
                command = command_of(arm.config, told)
                if result.get('finished') and result['command'] == command:
                    print(f'done before: {command}')
                    continue
                words = (tool, *words_of(arm.config, told))
                log = folder / 'logs' / f'{place.name}.txt'
                todo.append(Job(place.name, words, log))
        run_jobs(todo, jobs)
        runs = [Run(place) for place in places]
        comparison = Comparison(runs, runs[0].record().config, folder)
        comparison.report()
    return comparison


class Arm(NamedTuple):
    """What is trained with each seed: a config and, if given, its start."""

    config: str
    weights: Optional[str] = None

    @property
    def title(self) -> str:
        """In the names of its folders."""
        name = Path(self.config).stem
        if self.weights is None:
            return name
        weights = Path(self.weights)
        if weights.suffix:  # names such as epoch_10 tell nothing
            weights = weights.with_name(
                f'{weights.parent.name}_{weights.stem}'
            )
        return f'{name}_from_{weights.name}'


def arms_of(
    recipes: Places, baseline: Optional[Place] = None, weights: Places = None
) -> List[Arm]:
    """What :func:`compare` trains with each seed, the baseline first.

    Raises:
        UsageError: If there is no baseline, or more than one.
    """
    configs = _listed(recipes)
    starts = [None if name == 'none' else name for name in _listed(weights)]
    if len(starts) > 1:
        if len(configs) > 1 or baseline:
            raise UsageError(
                'several --weights are compared in one recipe: give one '
                'recipe without --baseline, or one of the weights.'
            )
        arms = [Arm(configs[0], start) for start in starts]
    else:
        found = {str(baseline)} if baseline else set(map(_baseline, configs))
        if len(found) > 1:
            raise UsageError(
                f'the baselines are several, {", ".join(sorted(found))}: '
                'compare with one at a time.'
            )
        start = starts[0] if starts else None
        arms = [Arm(config, start) for config in (*found, *configs)]
    titles = [arm.title for arm in arms]
    for title in titles:
        if titles.count(title) > 1:
            raise UsageError(
                f'two of what is compared have the name {title}: rename one, '
                'or give it once.'
            )
    return arms


def _baseline(recipe: str) -> str:
    path = find_recipe(recipe)
    found = baseline_of(path, read_config(path))
    if found is None:
        raise UsageError(
            f'{recipe} inherits from no recipe without DRLoc: say what to '
            'compare with, --baseline RECIPE.'
        )
    return os.path.relpath(found)


def _listed(places: Places) -> Tuple[str, ...]:
    if places is None:
        return ()
    if isinstance(places, (str, Path)):
        places = [places]
    return tuple(str(place) for place in places)
